import { Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { AuditService } from '../../../audit';
import { Transactions } from '../../../platform/database';
import { sha256 } from '../../../platform/crypto';
import { OidcModelRepository } from '../storage/oidc-model.repository';

interface Token {
  readonly kind: string;
  readonly jti: string;
  readonly clientId?: string | undefined;
  readonly grantId?: string | undefined;
}

/** What becomes of a token that its client has no more use for (RFC 7009). */
@Injectable()
export class RevocationsService {
  constructor(
    private readonly artifacts: OidcModelRepository,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /** With all that was given beside it, and recorded, at once or not at all: one that was not answered can be repeated. */
  async follow({ oidc }: KoaContextWithOIDC): Promise<void> {
    const { RefreshToken, AccessToken, ClientCredentials } = oidc.entities;
    const token: Token | undefined = RefreshToken ?? AccessToken ?? ClientCredentials;
    // The engine answers 200 for whatever it does not revoke: a token of another client is found, but not ended.
    if (!token || token.clientId !== oidc.client?.clientId) return;
    const { grantId } = token;
    if (grantId === undefined) await this.artifacts.delete(token.kind, sha256(token.jti));
    else await this.end(grantId, token);
  }

  private end(grantId: string, { kind, clientId }: Token): Promise<void> {
    const isRefresh = kind === 'RefreshToken';
    return this.transactions.run(async () => {
      // RFC 7009 §2.1: the grant goes with its refresh token alone. Of parallel revocations one is written down.
      const isEnded = await (isRefresh ? this.artifacts.deleteGrant(grantId) : this.artifacts.deleteGivenBy(grantId));
      if (!isEnded) return;
      await this.audit.record({
        action: 'oauth_grant.revoke',
        target: { type: 'oauth_grant', id: grantId },
        after: { client_id: clientId, token_type: isRefresh ? 'refresh_token' : 'access_token' },
      });
    });
  }
}
