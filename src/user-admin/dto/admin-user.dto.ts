import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { CursorPageOf, PageOf } from '../../platform/lists';
import { UserInfoDto, userInfoDto } from '../../users';
import { attributesSchema } from '../../users/attributes';
import type { AttributeValues } from '../../users/attributes';
import { UserDetails } from '../user-details.service';
import { AdminUser } from '../user-directory.service';

@ApiSchema({ description: 'A role of a user' })
export class RoleNameDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'crm' }) scope: string;
  @ApiProperty({ example: 'editor' }) name: string;
}

/** A user as administrators see it: everything except secrets and permissions. */
@ApiSchema({ description: 'The account as administrators see it' })
export class AdminUserDto extends UserInfoDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The name with which the user logged in before an import, and still can while no other user has it as username or verified contact; null: none',
    example: 'jane.doe',
  })
  former_username: string | null;

  @ApiProperty({ ...attributesSchema, description: 'Values by name of the attribute' })
  attributes: AttributeValues;

  @ApiProperty({ description: 'Whether the password must be changed before anything else' })
  must_change_password: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the last lock after too many failed logins ends; null: not locked',
  })
  locked_until: string | null;

  @ApiPropertyOptional({
    type: [RoleNameDto],
    description: 'With `details=true`: the first ten roles, without those of groups, by scope and name',
  })
  roles?: RoleNameDto[];

  @ApiPropertyOptional({ type: 'integer', description: 'With `details=true`: how many roles these are', example: 1 })
  role_count?: number;

  @ApiPropertyOptional({
    type: Boolean,
    description: 'With `details=true`: whether the user has an authenticator app or a passkey',
  })
  has_second_factor?: boolean;
}

@ApiSchema({ description: 'A page of accounts with the total' })
export class AdminUserPageDto extends PageOf(AdminUserDto) {}
@ApiSchema({ description: 'Accounts after a cursor, and the next cursor' })
export class AdminUserCursorPageDto extends CursorPageOf(AdminUserDto) {}

@ApiSchema({ description: 'The number of changed users' })
export class StatusChangeDto {
  @ApiProperty({ type: 'integer', description: 'Users who had another status before', example: 3 }) changed: number;
}

export function adminUserDto({ user, attributes, lockedUntil, details }: AdminUser): AdminUserDto {
  return Object.assign(userInfoDto(user), {
    former_username: user.formerUsername,
    attributes,
    must_change_password: user.mustChangePassword,
    locked_until: lockedUntil?.toISOString() ?? null,
    ...(details && detailsDto(details)),
  });
}

const detailsDto = ({ roles, roleCount, hasSecondFactor }: UserDetails): Partial<AdminUserDto> => ({
  roles: roles.map(({ id, scope, name }) => ({ id, scope, name })),
  role_count: roleCount,
  has_second_factor: hasSecondFactor,
});
