import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { CursorPageOf, PageOf } from '../../platform/lists';
import { UserInfoDto, userInfoDto } from '../../users';
import { AdminUser } from '../user-directory.service';

/** A user as administrators see one: everything but secrets and permissions. */
@ApiSchema({ description: 'The account as administrators see it' })
export class AdminUserDto extends UserInfoDto {
  @ApiProperty({ description: 'Until then only the own account, its password and the logout are open' })
  must_change_password: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the last lock after too many failed logins ends; null: none is in force',
  })
  locked_until: string | null;
}

@ApiSchema({ description: 'A page of accounts, and how many there are' })
export class AdminUserPageDto extends PageOf(AdminUserDto) {}
@ApiSchema({ description: 'Accounts from a cursor on, and the cursor of those that follow' })
export class AdminUserStretchDto extends CursorPageOf(AdminUserDto) {}

export function adminUserDto({ user, lockedUntil }: AdminUser): AdminUserDto {
  return Object.assign(userInfoDto(user), {
    must_change_password: user.mustChangePassword,
    locked_until: lockedUntil?.toISOString() ?? null,
  });
}
