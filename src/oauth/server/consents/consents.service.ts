import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../audit';
import { Transactions } from '../../../platform/database';
import { platformErrors } from '../../../platform/errors';
import { OAuthClient } from '../clients/client.entity';
import { ClientRepository } from '../clients/client.repository';
import { OidcModelRepository } from '../storage/oidc-model.repository';
import { ConsentRepository, ConsentRow } from '../clients/consent.repository';
import { consentActs } from '../core/authorization-server.acts';

/** The scopes that users have granted to clients, until they withdraw them. */
@Injectable()
export class ConsentsService {
  constructor(
    private readonly consents: ConsentRepository,
    private readonly clients: ClientRepository,
    private readonly artifacts: OidcModelRepository,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  list(userId: string): Promise<ConsentRow[]> {
    return this.consents.list(userId);
  }

  scopesOf(userId: string, client: OAuthClient): Promise<readonly string[]> {
    return this.consents.scopesOf(userId, client.id);
  }

  /** Like `scopesOf`, and locks the consent against withdrawal until the transaction ends. */
  lockScopes(userId: string, client: OAuthClient): Promise<readonly string[]> {
    return this.consents.lockScopes(userId, client.id);
  }

  touch(userId: string, client: OAuthClient): Promise<void> {
    return this.consents.touch(userId, client.id);
  }

  /**
   * Stores a decision. If it rejects a scope that was granted before, the client's tokens in the user's other sessions
   * end. In this session, the grant records the rejection.
   */
  async remember(
    actor: { id: string; username: string; sessionId: string },
    client: OAuthClient,
    scopes: readonly string[],
    rejected: readonly string[],
  ): Promise<void> {
    await this.transactions.run(async () => {
      const before = await this.consents.lockScopes(actor.id, client.id);
      if (rejected.some((scope) => before.includes(scope))) {
        await this.artifacts.deleteOfConsent(actor.id, client.clientId, actor.sessionId);
      }
      await this.consents.add(actor.id, client.id, scopes, rejected);
      const after = { scopes, ...(rejected.length > 0 && { refused: rejected }) };
      await this.audit.record(consentActs.grant, { actor, target: targetOf(client), after });
    });
  }

  /** Ends the client's grants and tokens for the user. Errors: `not_found`. */
  async withdraw(userId: string, clientId: string): Promise<void> {
    await this.transactions.run(async () => {
      const client = await this.clients.findByClientId(clientId);
      const before = client && (await this.consents.delete(userId, client.id));
      if (!client || !before) throw platformErrors.notFound();
      await this.artifacts.deleteOfConsent(userId, clientId);
      await this.audit.record(consentActs.withdraw, {
        target: targetOf(client),
        before: { scopes: before },
      });
    });
  }
}

function targetOf({ id, name }: OAuthClient): { type: string; id: string; label: string } {
  return { type: 'oauth_client', id, label: name };
}
