import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { languages } from '../../platform/i18n';
import { PublicUser } from '../user.repository';
import { UserView } from '../user.cache';

export class UserInfoDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'ann' }) username: string;
  @ApiProperty({ example: 'Ann' }) nickname: string;
  @ApiProperty({
    description: 'A path of this service, or an https URL if setting `security.external_avatars` is on',
    example: '/api/avatar/ann.svg',
  })
  avatar: string;
  @ApiProperty({ type: String, nullable: true, example: 'ann@example.com' }) email: string | null;
  @ApiProperty() email_verified: boolean;
  @ApiProperty({ type: String, nullable: true, description: 'E.164', example: '+8613800138000' }) phone: string | null;
  @ApiProperty() phone_verified: boolean;
  @ApiProperty({ type: String, nullable: true, enum: languages }) locale: string | null;
  @ApiProperty({ enum: ['active', 'disabled'] }) status: string;
  @ApiProperty() has_password: boolean;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The version of the terms that the user accepted last; null: none',
    example: '2026-01',
  })
  terms_version: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) terms_accepted_at: string | null;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time' }) updated_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) last_login_at: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the account is deleted at the request of its owner; null: it is not',
  })
  deletion_due_at: string | null;
}

/** What any logged-in user may see of another user. Add no other field. */
@ApiSchema({ description: 'The fields of a user that any logged-in user may see' })
export class PublicUserInfoDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'ann' }) username: string;
  @ApiProperty({ example: 'Ann' }) nickname: string;
  @ApiProperty({ example: '/api/avatar/ann.svg' }) avatar: string;
  @ApiProperty({ description: 'The nickname or, without one, the username', example: 'Ann' }) name: string;
  @ApiProperty({ description: 'Absolute URL of the avatar', example: 'https://id.example.com/api/avatar/ann.svg' })
  icon: string;
}

/** @param user from `ShownUsersService`, except for the own data, which keep the stored avatar */
export function userInfoDto(user: UserView): UserInfoDto {
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
    terms_version: user.termsVersion,
    terms_accepted_at: user.termsAcceptedAt?.toISOString() ?? null,
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
    last_login_at: user.lastLoginAt?.toISOString() ?? null,
    deletion_due_at: user.deletionDueAt?.toISOString() ?? null,
  };
}

/**
 * @param user from `ShownUsersService`
 * @param origin of the request, for absolute URLs
 */
export function publicUserDto({ id, username, nickname, avatar }: PublicUser, origin: string): PublicUserInfoDto {
  const icon = avatar.startsWith('/') ? `${origin}${avatar}` : avatar;
  return { id, username, nickname, avatar, name: nickname || username, icon };
}
