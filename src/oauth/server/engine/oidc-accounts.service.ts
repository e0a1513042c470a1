import { Injectable } from '@nestjs/common';
import type { Account, AccountClaims } from 'oidc-provider';
import { UserView, UserCache } from '../../../users';

/** The claims of each scope (OpenID Connect Core §5.4). */
export const CLAIMS_OF_SCOPES = {
  openid: ['sub', 'auth_time', 'amr', 'acr'],
  profile: ['name', 'nickname', 'preferred_username', 'picture', 'locale', 'updated_at'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
};

/** Users for the library. A user who may not log in is not found. */
@Injectable()
export class OidcAccountsService {
  constructor(private readonly users: UserCache) {}

  async find(userId: string, issuer: string): Promise<Account | undefined> {
    const user = await this.users.get(userId);
    if (user?.status !== 'active') return undefined;
    return { accountId: user.id, claims: () => claimsOf(user, issuer) };
  }
}

/** All claims. The library selects them by scope. */
function claimsOf(user: UserView, issuer: string): AccountClaims {
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
