import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { BooleanField, field, QueryBooleanField, TextField, ValidatedBy } from '../../platform/http/input';
import { PageOf, PageQueryDto } from '../../platform/lists';
import { isAvatarUrl } from '../../users';
import { isGroupName, isSlug, MAX_ORGANIZATION_NAME, MAX_SLUG, SLUG_PATTERN, Organization } from '../../rbac';
import { attributeProblems, MAX_ATTRIBUTE_BYTES, MAX_ATTRIBUTES } from '../organization-attributes';

const SlugField = (options: { optional: boolean }): PropertyDecorator =>
  TextField({
    description: 'Unique. Lower-case letters, digits and single hyphens; begins with a letter',
    min: 2,
    max: MAX_SLUG,
    pattern: SLUG_PATTERN,
    check: (text) => (isSlug(text) ? undefined : 'slug'),
    example: 'acme',
    ...options,
  });

const NameField = (options: { optional: boolean }): PropertyDecorator =>
  TextField({
    description: 'For display. Words separated by single spaces, without slashes or invisible characters',
    min: 1,
    max: MAX_ORGANIZATION_NAME,
    check: (name) => (isGroupName(name) ? undefined : 'group_name'),
    example: 'Acme Ltd',
    ...options,
  });

const LogoField = (): PropertyDecorator =>
  TextField({
    description: 'https URL of an image',
    max: 500,
    check: (text) => (text === '' || isAvatarUrl(text) ? undefined : 'avatar'),
    optional: true,
    nullable: true,
    example: 'https://acme.example.com/logo.svg',
  });

const AttributesField = (): PropertyDecorator =>
  field(
    {
      description: `The complete set of attributes: at most ${MAX_ATTRIBUTES}, with ${MAX_ATTRIBUTE_BYTES} bytes in all. A name has up to 50 letters, digits, dots, hyphens or underscores and begins with a letter; a value is a text`,
      optional: true,
      example: { tier: 'gold' },
    },
    { type: 'object', additionalProperties: { type: 'string' } },
    ValidatedBy('isAttributes', attributeProblems),
  );

const MfaRequiredField = (): PropertyDecorator =>
  BooleanField({ description: 'Whether members need a second factor within the organization', optional: true });

export class ListOrganizationsDto extends PageQueryDto {
  @TextField({
    description: 'Part of a name or slug, ignoring case, without wildcards',
    max: MAX_ORGANIZATION_NAME,
    optional: true,
  })
  keyword?: string;

  @QueryBooleanField({ description: 'true: only those that the caller is a member of', optional: true })
  mine?: boolean;
}

export class CreateOrganizationDto {
  @SlugField({ optional: false }) slug: string;
  @NameField({ optional: false }) name: string;
  @LogoField() logo?: string | null;
  @AttributesField() attributes?: Record<string, string>;
  @MfaRequiredField() mfa_required?: boolean;
}

export class ChangeOrganizationDto {
  @SlugField({ optional: true }) slug?: string;
  @NameField({ optional: true }) name?: string;
  @LogoField() logo?: string | null;
  @AttributesField() attributes?: Record<string, string>;
  @MfaRequiredField() mfa_required?: boolean;
}

@ApiSchema({ description: 'The organization' })
export class OrganizationDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'acme' }) slug: string;
  @ApiProperty({ example: 'Acme Ltd' }) name: string;
  @ApiProperty({ description: 'Empty without one', example: 'https://acme.example.com/logo.svg' }) logo: string;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, example: { tier: 'gold' } })
  attributes: Readonly<Record<string, string>>;

  @ApiProperty({ description: 'Members need a second factor within the organization' }) mfa_required: boolean;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time' }) updated_at: string;
}

@ApiSchema({ description: 'A page of organizations' })
export class OrganizationPageDto extends PageOf(OrganizationDto) {}

export const organizationDto = (organization: Organization): OrganizationDto => ({
  id: organization.id,
  slug: organization.slug,
  name: organization.name,
  logo: organization.logo,
  attributes: organization.attributes,
  mfa_required: organization.mfaRequired,
  created_at: organization.createdAt.toISOString(),
  updated_at: organization.updatedAt.toISOString(),
});
