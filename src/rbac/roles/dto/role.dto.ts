import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { BooleanField, IdField, IdListField, ListField, TextField, WholeExample } from '../../../platform/http/input';
import { PageOf, PageQueryDto } from '../../../platform/lists';
import { mergeGrants } from '../../permission';
import { isRoleName, ROLE_NAME_PATTERN } from '../../grants/role-name';
import { AssignedRole, RoleView } from '../../grants/role.views';
import {
  GrantDto,
  grantDto,
  MAX_GRANTS,
  PermissionInputDto,
  RemoveField,
  ScopeField,
} from '../../permission/dto/grant.dto';

const RoleNameField = (options: { optional: boolean }): PropertyDecorator =>
  TextField({
    description: 'Unique in its scope, in the service or in the organization; not admin, user or direct, in any scope',
    min: 2,
    max: 50,
    check: (name) => (isRoleName(name) ? undefined : 'role_name'),
    pattern: ROLE_NAME_PATTERN,
    example: 'editor',
    ...options,
  });

const DescriptionField = (): PropertyDecorator =>
  TextField({
    description: 'For display',
    max: 500,
    optional: true,
    nullable: true,
    example: 'Writes and publishes reports',
  });

const MfaRequiredField = (): PropertyDecorator =>
  BooleanField({ description: 'Whether users of the role must have a second factor', optional: true });

const GrantListField = (description: string): PropertyDecorator =>
  ListField(() => PermissionInputDto, { description, max: MAX_GRANTS, optional: true });

export class ListRolesDto extends PageQueryDto {
  @ScopeField('Only roles of this scope', { optional: true })
  scope?: string;

  @TextField({ description: 'Part of a name, ignoring case, without wildcards', max: 50, optional: true })
  keyword?: string;

  @IdField({ description: 'The roles of this organization. Default: those of the service', optional: true })
  organization_id?: string;
}

export class CreateRoleDto {
  @RoleNameField({ optional: false }) name: string;
  @DescriptionField() description?: string | null;

  @ScopeField("A label for lists. Default: the service's own", { optional: true })
  scope?: string;

  @IdField({
    description:
      'The organization that the role belongs to, for good. It holds there only. Default: a role of the service',
    optional: true,
    nullable: true,
  })
  organization_id?: string | null;

  @MfaRequiredField() mfa_required?: boolean;

  @GrantListField("The role's permissions")
  permissions?: PermissionInputDto[];
}

/** Either `add` and `remove`, or `permissions`. For a system role only `mfa_required`. */
@WholeExample({
  description: 'Writes reports',
  add: [{ permission_id: 'report:update', level: 3 }],
  remove: ['report:delete'],
})
export class ChangeRoleDto {
  @RoleNameField({ optional: true }) name?: string;
  @DescriptionField() description?: string | null;
  @MfaRequiredField() mfa_required?: boolean;

  @IdField({ description: 'The same as before, because a role stays where it is', optional: true, nullable: true })
  organization_id?: string | null;

  @GrantListField('Permissions to add; sets the level of one that is present')
  add?: PermissionInputDto[];

  @RemoveField()
  remove?: string[];

  @GrantListField('The complete new set')
  permissions?: PermissionInputDto[];
}

export class AssignedRoleDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'editor' }) name: string;
  @ApiProperty({ example: 'Writes and publishes reports' }) description: string;
  @ApiProperty({ example: 'iam', description: 'A label, not a limit' }) scope: string;
  @ApiPropertyOptional({
    format: 'uuid',
    description: 'It holds in this organization only. Absent from a role of the service',
  })
  organization_id?: string;
  @ApiProperty({ description: 'Defined by the code; it cannot be changed' }) is_system: boolean;
  @ApiProperty({ description: 'Users of the role must have a second factor' }) mfa_required: boolean;
  @ApiProperty({ type: [GrantDto], description: 'Sorted by scope, then permission' }) permissions: GrantDto[];
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time' }) updated_at: string;
}

@ApiSchema({ description: 'The role with its permissions and its number of users' })
export class RoleDto extends AssignedRoleDto {
  @ApiProperty({
    type: 'integer',
    description:
      'Users who have the role themselves, everywhere or in the organization of the role, not through a group. Exact up to 10,000, then an estimate',
    example: 12,
  })
  user_count: number;
}

@ApiSchema({ description: 'Roles of the user, each with its permissions' })
export class AssignedRoleListDto {
  @ApiProperty({ type: [AssignedRoleDto], description: 'Sorted by scope, then name' }) items: AssignedRoleDto[];
}

@ApiSchema({ description: 'A page of roles, each with its permissions and its number of users' })
export class RolePageDto extends PageOf(RoleDto) {}

export class GiveRolesDto {
  @IdListField({ description: 'Roles to add the user to', min: 1, max: 100 })
  role_ids: string[];

  @IdField({
    description: 'The roles hold in this organization only, of which the user must be a member. Default: everywhere',
    optional: true,
  })
  organization_id?: string;
}

export function assignedRoleDto({ role, grants }: AssignedRole): AssignedRoleDto {
  return {
    id: role.id,
    name: role.name,
    description: role.description,
    scope: role.scope,
    ...(role.organizationId !== null && { organization_id: role.organizationId }),
    is_system: role.isSystem,
    mfa_required: role.mfaRequired,
    permissions: mergeGrants(grants).map(grantDto),
    created_at: role.createdAt.toISOString(),
    updated_at: role.updatedAt.toISOString(),
  };
}

export function roleDto(view: RoleView): RoleDto {
  const { created_at, updated_at, ...held } = assignedRoleDto(view);
  return { ...held, user_count: view.userCount, created_at, updated_at };
}
