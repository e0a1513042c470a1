import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { field, TextListField, ValidatedBy } from '../../../platform/http/input';
import { Setting } from '../../../platform/settings';
import { Branding, brandingSettings, OrganizationSettings } from '../../../rbac';

const MAX_LOGIN_METHODS = 50;
/** As sessions record it. */
const MAX_LOGIN_METHOD = 80;

/** A value for a setting of the service, by its rule; null for the service's value. */
const SettingField = ({ kind }: Setting<string>, description: string, example: string): PropertyDecorator =>
  field(
    { description: `${description}. null: the service's`, optional: true, nullable: true, example },
    { type: String, ...(kind.maximum !== undefined && { maxLength: kind.maximum }) },
    ValidatedBy('isSettingValue', (name, value) => {
      const parsed = kind.parse(value);
      if ('value' in parsed) return [];
      const { type, maximum: max } = kind;
      return [{ field: name, code: parsed.violation, params: { type, ...(max !== undefined && { max }) } }];
    }),
  );

export class ChangeOrganizationSettingsDto {
  @SettingField(brandingSettings.name, 'The displayed name', 'Acme')
  name?: string | null;

  @SettingField(
    brandingSettings.logo,
    'https address of an image, or a path of this service; empty: none',
    'https://acme.example.com/logo.svg',
  )
  logo?: string | null;

  @SettingField(brandingSettings.primary_color, 'Six hexadecimal digits after #', '#2f6fed')
  primary_color?: string | null;

  @SettingField(brandingSettings.terms, 'Address of a page; empty: none', 'https://acme.example.com/terms')
  terms?: string | null;

  @SettingField(brandingSettings.privacy, 'Address of a page; empty: none', 'https://acme.example.com/privacy')
  privacy?: string | null;

  @SettingField(brandingSettings.support, 'Address of a page; empty: none', 'https://acme.example.com/support')
  support?: string | null;

  @TextListField({
    description:
      "Login methods of the sessions that may act there, among the service's: types, or `oauth:<provider>`. null: all",
    min: 1,
    max: MAX_LOGIN_METHODS,
    entry: { min: 1, max: MAX_LOGIN_METHOD },
    optional: true,
    nullable: true,
    example: ['passkey', 'oauth:acme'],
  })
  login_methods?: string[] | null;
}

class OfferedLoginDto {
  @ApiProperty({ description: 'Type of the login method, or `oauth:<provider>`', example: 'oauth:acme' })
  method: string;
  @ApiProperty({ type: String, nullable: true, description: 'Of a login provider', example: 'Acme' })
  label: string | null;
}

@ApiSchema({ description: "The service's values" })
class ServiceLookDto {
  @ApiProperty({ example: 'Castellan' }) name: string;
  @ApiProperty({ example: '' }) logo: string;
  @ApiProperty({ example: '#2f6fed' }) primary_color: string;
  @ApiProperty({ example: '' }) terms: string;
  @ApiProperty({ example: '' }) privacy: string;
  @ApiProperty({ example: '' }) support: string;
  @ApiProperty({ type: [OfferedLoginDto], description: 'The login methods that the organization may accept' })
  login_methods: readonly OfferedLoginDto[];
}

const TextProperty = (example: string): PropertyDecorator => ApiProperty({ type: String, nullable: true, example });

@ApiSchema({ description: "The settings of an organization. null: the service's value" })
export class OrganizationSettingsDto {
  @TextProperty('Acme') name: string | null;
  @TextProperty('https://acme.example.com/logo.svg') logo: string | null;
  @TextProperty('#2f6fed') primary_color: string | null;
  @TextProperty('https://acme.example.com/terms') terms: string | null;
  @TextProperty('https://acme.example.com/privacy') privacy: string | null;
  @TextProperty('https://acme.example.com/support') support: string | null;
  @ApiProperty({ type: [String], nullable: true, description: 'Sorted. null: all', example: ['oauth:acme', 'passkey'] })
  login_methods: readonly string[] | null;
  @ApiProperty({ type: ServiceLookDto }) service: ServiceLookDto;
}

export const organizationSettingsDto = (
  own: OrganizationSettings,
  service: Branding & Pick<ServiceLookDto, 'login_methods'>,
): OrganizationSettingsDto => ({
  name: own.name ?? null,
  logo: own.logo ?? null,
  primary_color: own.primary_color ?? null,
  terms: own.terms ?? null,
  privacy: own.privacy ?? null,
  support: own.support ?? null,
  login_methods: own.login_methods ?? null,
  service,
});
