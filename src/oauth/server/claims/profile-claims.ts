import type { AccountClaims } from 'oidc-provider';
import type { UserView } from '../../../users';

/** The claims of each scope (OpenID Connect Core §5.4). `TokenClaimsService` adds those of `organization`. */
export const CLAIMS_OF_SCOPES = {
  openid: ['sub', 'auth_time', 'amr', 'acr'],
  profile: ['name', 'nickname', 'preferred_username', 'picture', 'locale', 'updated_at'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  organization: ['organization_id', 'organization_slug', 'organization_roles'],
};

/** All claims. The library selects them by scope. */
export function profileClaims(user: UserView, issuer: string): AccountClaims {
  return {
    sub: user.id,
    name: user.nickname || user.username,
    ...(user.nickname !== '' && { nickname: user.nickname }),
    preferred_username: user.username,
    ...(user.avatar !== '' && { picture: user.avatar.startsWith('/') ? `${issuer}${user.avatar}` : user.avatar }),
    ...(user.locale !== null && { locale: user.locale }),
    updated_at: Math.floor(user.updatedAt.getTime() / 1_000),
    ...(user.email !== null && { email: user.email, email_verified: user.emailVerified }),
    ...(user.phone !== null && { phone_number: user.phone, phone_number_verified: user.phoneVerified }),
  };
}
