import { Injectable } from '@nestjs/common';
import type { Account, KoaContextWithOIDC } from 'oidc-provider';
import { ShownUsersService } from '../../../users';
import { ProtocolStep } from '../claims/access-rejections.service';
import { ClientAdmissionService, UsedToken } from '../claims/client-admission.service';
import { profileClaims } from '../claims/profile-claims';
import { interactionPolicy } from '../core/library';
import { NOT_ADMITTED, rejectUser } from './rejected-user';
import { loginOf } from '../core/request';

/** A code or token that finds its user. */
interface UserToken extends Partial<UsedToken> {
  readonly kind: string;
}

const STEP_OF_KIND: Readonly<Record<string, ProtocolStep>> = { RefreshToken: 'refresh', AccessToken: 'userinfo' };

/** Users for the library. A user who may not log in is not found. */
@Injectable()
export class OidcAccountsService {
  constructor(
    private readonly users: ShownUsersService,
    private readonly admission: ClientAdmissionService,
  ) {}

  /** @param token does not find a user who may no longer use its client. */
  async find(userId: string, issuer: string, token?: UserToken): Promise<Account | undefined> {
    const user = await this.users.get(userId);
    if (user?.status !== 'active') return undefined;
    if (token && !(await this.isAdmittedBy(token, userId))) return undefined;
    return { accountId: user.id, claims: () => profileClaims(user, issuer) };
  }

  /**
   * Rejects an authorization request of a user who may not use the client. It belongs to the consent, so that it runs
   * after the login, and never asks anything.
   */
  admissionCheck(): interactionPolicy.Check {
    return new interactionPolicy.Check('admission', NOT_ADMITTED, 'access_denied', async (ctx) => {
      if (!(await this.isAdmitted(ctx))) rejectUser(ctx);
      return false;
    });
  }

  private async isAdmitted({ req, oidc: { client, session } }: KoaContextWithOIDC): Promise<boolean> {
    if (!client || session?.accountId === undefined) return false;
    const used = { clientId: client.clientId, loginMethod: loginOf(req)?.loginMethod };
    return this.admission.admits(used, session.accountId, 'authorize');
  }

  private async isAdmittedBy({ kind, clientId, ...token }: UserToken, userId: string): Promise<boolean> {
    if (clientId === undefined) return true;
    const { organizationId, loginMethod } = token;
    return this.admission.admits({ clientId, organizationId, loginMethod }, userId, STEP_OF_KIND[kind] ?? 'token');
  }
}
