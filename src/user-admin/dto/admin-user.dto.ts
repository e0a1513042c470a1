import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { CursorPageOf, PageOf } from '../../platform/lists';
import { UserInfoDto, userInfoDto } from '../../users';
import { AdminUser } from '../user-directory.service';

/** A user as administrators see it: everything except secrets and permissions. */
@ApiSchema({ description: 'The account as administrators see it' })
export class AdminUserDto extends UserInfoDto {
  @ApiProperty({ description: 'Whether the password must be changed before anything else' })
  must_change_password: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the last lock after too many failed logins ends; null: not locked',
  })
  locked_until: string | null;
}

@ApiSchema({ description: 'A page of accounts with the total' })
export class AdminUserPageDto extends PageOf(AdminUserDto) {}
@ApiSchema({ description: 'Accounts after a cursor, and the next cursor' })
export class AdminUserCursorPageDto extends CursorPageOf(AdminUserDto) {}

export function adminUserDto({ user, lockedUntil }: AdminUser): AdminUserDto {
  return Object.assign(userInfoDto(user), {
    must_change_password: user.mustChangePassword,
    locked_until: lockedUntil?.toISOString() ?? null,
  });
}
