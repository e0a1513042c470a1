import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ChoiceField, IdField, QueryIntegerField, RowListField } from '../../../platform/http/input';
import type { PermissionLevel } from '..';
import { permissionIdOf } from '..';
import { CheckedPermission } from '../effective-grants';
import type { GrantingGroup, GrantingOrganization } from '../effective-grants';
import {
  GrantDto,
  grantDto,
  PERMISSION_CHECK_RULES,
  PermissionCheckInputDto,
  PermissionIdField,
  ScopeField,
} from './grant.dto';

export class CheckPermissionsDto {
  @IdField({
    description: 'Default: the caller. OAuth clients must name a user. Another user needs `permission:read`',
    optional: true,
  })
  user_id?: string;

  @RowListField(() => PermissionCheckInputDto, {
    description: 'The permissions to check',
    min: 1,
    max: 100,
    rules: PERMISSION_CHECK_RULES,
  })
  checks: PermissionCheckInputDto[];
}

class GrantingGroupDto {
  @ApiProperty({ description: 'Name of the group that has the role', example: 'Staff' }) name: string;

  @ApiProperty({
    type: [String],
    description: 'Names from the group at the top to the group that the user is a member of',
    example: ['Staff', 'Editors'],
  })
  path: readonly string[];
}

class GrantingOrganizationDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'acme' }) slug: string;
  @ApiProperty({ example: 'Acme Ltd' }) name: string;
}

class BecauseDto {
  @ApiProperty({
    enum: ['role', 'group', 'direct'],
    description: '`role`: a role of the user; `group`: one of a group',
  })
  source: 'role' | 'group' | 'direct';

  @ApiPropertyOptional({
    description: 'Name of the role; of one of the organization it begins with `organization/`',
    example: 'editor',
  })
  role?: string;

  @ApiPropertyOptional({ type: GrantingGroupDto, description: 'Present if the source is a group' })
  group?: GrantingGroup;

  @ApiPropertyOptional({
    type: GrantingOrganizationDto,
    description: 'The organization in which the grant holds. Absent if it holds everywhere',
  })
  organization?: GrantingOrganization;

  @ApiProperty({ type: GrantDto }) grant: GrantDto;
}

export class PermissionCheckResultDto {
  @ApiProperty({ example: 'iam' }) scope: string;
  @ApiProperty({ example: 'role:read' }) permission_id: string;
  @ApiPropertyOptional({ type: 'integer', description: 'As in the request', example: 1 }) level?: number;
  @ApiPropertyOptional({ format: 'uuid', description: 'As in the request' }) organization_id?: string;
  @ApiProperty() allowed: boolean;
  @ApiProperty({ type: BecauseDto, nullable: true, description: 'null when denied' }) because: BecauseDto | null;
  @ApiProperty({
    type: GrantDto,
    nullable: true,
    description: 'The smallest grant that would allow it; null when allowed, and with a `reason`',
  })
  closest: GrantDto | null;
  @ApiPropertyOptional({
    enum: ['subject_disabled'],
    description: 'Why no grant would allow it: a disabled user is allowed nothing. Absent otherwise',
  })
  reason?: 'subject_disabled';
}

@ApiSchema({ description: 'Whether all are allowed, and the result of each check with its reason' })
export class PermissionChecksDto {
  @ApiProperty({ description: 'Whether all are allowed' }) allowed: boolean;
  @ApiProperty({ type: [PermissionCheckResultDto], description: 'In the order of the request' })
  results: PermissionCheckResultDto[];
}

export class VerifyQueryDto {
  @PermissionIdField({ optional: true })
  permission?: string;

  @ScopeField("Default: the one `permission` names, else the service's own", { optional: true })
  scope?: string;

  @QueryIntegerField({
    description: 'Applies when it is higher than the rank of the action',
    min: 1,
    max: 7,
    optional: true,
  })
  level?: PermissionLevel;

  @ChoiceField({
    description:
      '`allow`: passes requests of users who act as another. The application must let them read only, by `X-Actor-Id`',
    options: ['allow'],
    optional: true,
  })
  acting?: string;
}

function because({ because: reason }: CheckedPermission): BecauseDto | null {
  if (!reason) return null;
  const { role, group, organization } = reason.source;
  const rest = { ...(organization && { organization }), grant: grantDto(reason.grant) };
  if (role === null) return { source: 'direct', ...rest };
  return group ? { source: 'group', role, group, ...rest } : { source: 'role', role, ...rest };
}

type AskedDto = Pick<PermissionCheckResultDto, 'scope' | 'permission_id' | 'level' | 'organization_id'>;

function asked({ check, organizationId }: CheckedPermission): AskedDto {
  const { scope, level } = check;
  return {
    scope,
    permission_id: permissionIdOf(check),
    ...(level !== undefined && { level }),
    ...(organizationId !== undefined && { organization_id: organizationId }),
  };
}

export function permissionChecksDto(results: readonly CheckedPermission[]): PermissionChecksDto {
  return {
    allowed: results.every(({ allowed }) => allowed),
    results: results.map((result) => ({
      ...asked(result),
      allowed: result.allowed,
      because: because(result),
      closest: result.closest && grantDto(result.closest),
      ...(result.reason !== undefined && { reason: result.reason }),
    })),
  };
}
