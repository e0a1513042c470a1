import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../audit';
import { Transactions } from '../../../platform/database';
import { OidcModelRepository } from '../storage/oidc-model.repository';

/** What becomes of a grant whose spent code or refresh token came back (RFC 6749 §4.1.2, RFC 9700 §4.14.2). */
@Injectable()
export class ReplayHandlerService {
  constructor(
    private readonly artifacts: OidcModelRepository,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /** All that it had given ends, and is recorded, at once or not at all: a replay that was not answered is one again. */
  end(grantId: string, clientId: string | undefined): Promise<void> {
    return this.transactions.run(async () => {
      // Of parallel replays one ends it and is written down.
      if (!(await this.artifacts.deleteGrant(grantId))) return;
      await this.audit.record({
        action: 'oauth_grant.revoke_replayed',
        outcome: 'failure',
        target: { type: 'oauth_grant', id: grantId },
        after: { client_id: clientId },
      });
    });
  }
}
