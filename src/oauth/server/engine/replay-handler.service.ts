import { Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { AuditService } from '../../../audit';
import { Transactions } from '../../../platform/database';
import { OidcModelRepository } from '../storage/oidc-model.repository';
import { oauthGrantActs } from '../core/authorization-server.acts';

/** Ends grants when a consumed code or refresh token is replayed (RFC 6749 §4.1.2, RFC 9700 §4.14.2). */
@Injectable()
export class ReplayHandlerService {
  constructor(
    private readonly artifacts: OidcModelRepository,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /** Ends and audits the grant atomically. After a failure, the next request with the token is a replay again. */
  end(grantId: string, { client, entities }: KoaContextWithOIDC['oidc']): Promise<void> {
    const user_id = (entities.RefreshToken ?? entities.AuthorizationCode)?.accountId;
    return this.transactions.run(async () => {
      // Only one of several concurrent replays ends the grant and is audited.
      if (!(await this.artifacts.deleteGrant(grantId))) return;
      await this.audit.record(oauthGrantActs.revokeReplayed, {
        outcome: 'failure',
        target: { type: 'oauth_grant', id: grantId },
        after: { user_id, client_id: client?.clientId },
      });
    });
  }
}
