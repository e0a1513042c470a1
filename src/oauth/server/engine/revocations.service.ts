import { Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { AuditService } from '../../../audit';
import { Transactions } from '../../../platform/database';
import { sha256 } from '../../../platform/crypto';
import { OidcModelRepository } from '../storage/oidc-model.repository';
import { oauthGrantActs } from '../core/authorization-server.acts';

interface Token {
  readonly kind: string;
  readonly jti: string;
  readonly clientId?: string | undefined;
  readonly grantId?: string | undefined;
  /** Absent from tokens of the client itself. */
  readonly accountId?: string | undefined;
}

/** Ends tokens that their client revokes (RFC 7009). */
@Injectable()
export class RevocationsService {
  constructor(
    private readonly artifacts: OidcModelRepository,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /** Ends the token with its related tokens and audits it atomically. A failed revocation can be repeated. */
  async follow({ oidc }: KoaContextWithOIDC): Promise<void> {
    const { RefreshToken, AccessToken, ClientCredentials } = oidc.entities;
    const token: Token | undefined = RefreshToken ?? AccessToken ?? ClientCredentials;
    // The library responds with 200 also for another client's token, which is found but must not be ended.
    if (!token || token.clientId !== oidc.client?.clientId) return;
    const { grantId } = token;
    if (grantId === undefined) await this.artifacts.delete(token.kind, sha256(token.jti));
    else await this.end(grantId, token);
  }

  private end(grantId: string, { kind, clientId, accountId }: Token): Promise<void> {
    const isRefresh = kind === 'RefreshToken';
    return this.transactions.run(async () => {
      // RFC 7009 §2.1: only revoking a refresh token ends the grant. Only one of several concurrent revocations is
      // audited.
      const isEnded = await (isRefresh ? this.artifacts.deleteGrant(grantId) : this.artifacts.deleteGivenBy(grantId));
      if (!isEnded) return;
      await this.audit.record(oauthGrantActs.revoke, {
        target: { type: 'oauth_grant', id: grantId },
        after: { user_id: accountId, client_id: clientId, token_type: isRefresh ? 'refresh_token' : 'access_token' },
      });
    });
  }
}
