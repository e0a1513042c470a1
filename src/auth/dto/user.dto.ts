import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { GrantDto, grantDto, GrantSet } from '../../rbac';
import { UserView, UserInfoDto, userInfoDto } from '../../users';

@ApiSchema({ description: 'The account, with all its permissions' })
export class UserInfoWithPermsDto extends UserInfoDto {
  @ApiProperty({ type: [GrantDto], description: 'Direct and role grants, merged, sorted by scope, then permission' })
  permissions: GrantDto[];
}

export function userInfoWithPermsDto(user: UserView, grants: GrantSet): UserInfoWithPermsDto {
  return Object.assign(userInfoDto(user), { permissions: grants.toList().map(grantDto) });
}
