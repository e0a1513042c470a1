import { ApiProperty } from '@nestjs/swagger';
import { GrantSet } from '../../rbac';
import { KnownUser, PublicUser } from '../../users';

export class GrantDto {
  @ApiProperty({ example: 'iam' }) scope: string;
  @ApiProperty({ example: 'profile:update', description: '`resource:action`' }) permission_id: string;
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: 7,
    description: '1 read · 2 create · 3 update · 4 delete · 5 execute · 6 grant · 7 admin',
  })
  level: number;
}

export class UserInfoDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'ann' }) username: string;
  @ApiProperty() nickname: string;
  @ApiProperty({ description: 'An own path or an https address' }) avatar: string;
  @ApiProperty({ type: String, nullable: true }) email: string | null;
  @ApiProperty() email_verified: boolean;
  @ApiProperty({ type: String, nullable: true, description: 'E.164' }) phone: string | null;
  @ApiProperty() phone_verified: boolean;
  @ApiProperty({ type: String, nullable: true, enum: ['en', 'zh'] }) locale: string | null;
  @ApiProperty({ enum: ['active', 'disabled'] }) status: string;
  @ApiProperty() has_password: boolean;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time' }) updated_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) last_login_at: string | null;
}

export class UserInfoWithPermsDto extends UserInfoDto {
  @ApiProperty({ type: [GrantDto], description: 'Direct and role grants, merged, by scope and then permission' })
  permissions: GrantDto[];
}

export class PublicUserInfoDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty() username: string;
  @ApiProperty() nickname: string;
  @ApiProperty() avatar: string;
  @ApiProperty({ description: 'The nickname or, without one, the username' }) name: string;
  @ApiProperty({ description: 'Absolute URL of the avatar' }) icon: string;
}

export function userInfoDto(user: KnownUser): UserInfoDto {
  return {
    id: user.id,
    username: user.username,
    nickname: user.nickname,
    avatar: user.avatar,
    email: user.email,
    email_verified: user.emailVerified,
    phone: user.phone,
    phone_verified: user.phoneVerified,
    locale: user.locale,
    status: user.status,
    has_password: user.hasPassword,
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
    last_login_at: user.lastLoginAt?.toISOString() ?? null,
  };
}

export function userInfoWithPermsDto(user: KnownUser, grants: GrantSet): UserInfoWithPermsDto {
  const permissions = grants
    .toList()
    .map(({ scope, permissionId, level }) => ({ scope, permission_id: permissionId, level }));
  return Object.assign(userInfoDto(user), { permissions });
}

export function publicUserDto({ id, username, nickname, avatar }: PublicUser, origin: string): PublicUserInfoDto {
  const icon = avatar.startsWith('/') ? `${origin}${avatar}` : avatar;
  return { id, username, nickname, avatar, name: nickname || username, icon };
}
