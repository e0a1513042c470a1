import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../audit';
import { Transactions } from '../../../platform/database';
import { platformErrors } from '../../../platform/errors';
import { OAuthClient } from '../clients/client.entity';
import { ClientRepository } from '../clients/client.repository';
import { OidcModelRepository } from '../storage/oidc-model.repository';
import { ConsentRepository, ConsentRow } from './consent.repository';

/** What users allow applications, until they take it back. */
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

  /** As `scopesOf`, and locks the consent against withdrawal until the transaction ends. */
  lockScopes(userId: string, client: OAuthClient): Promise<readonly string[]> {
    return this.consents.lockScopes(userId, client.id);
  }

  touch(userId: string, client: OAuthClient): Promise<void> {
    return this.consents.touch(userId, client.id);
  }

  /**
   * What is refused now is allowed no longer: what that had given in other sessions ends. In this one the grant says it.
   */
  async remember(
    actor: { id: string; username: string; sessionId: string },
    client: OAuthClient,
    scopes: readonly string[],
    refused: readonly string[],
  ): Promise<void> {
    await this.transactions.run(async () => {
      const before = await this.consents.lockScopes(actor.id, client.id);
      if (refused.some((scope) => before.includes(scope))) {
        await this.artifacts.deleteOfConsent(actor.id, client.clientId, actor.sessionId);
      }
      await this.consents.add(actor.id, client.id, scopes, refused);
      const after = { scopes, ...(refused.length > 0 && { refused }) };
      await this.audit.record({ action: 'oauth_consent.grant', actor, target: targetOf(client), after });
    });
  }

  /** Ends all that the client was given for the user. Errors: `not_found`. */
  async withdraw(userId: string, clientId: string): Promise<void> {
    await this.transactions.run(async () => {
      const client = await this.clients.findByClientId(clientId);
      const before = client && (await this.consents.delete(userId, client.id));
      if (!client || !before) throw platformErrors.notFound();
      await this.artifacts.deleteOfConsent(userId, clientId);
      await this.audit.record({
        action: 'oauth_consent.withdraw',
        target: targetOf(client),
        before: { scopes: before },
      });
    });
  }
}

function targetOf({ id, name }: OAuthClient): { type: string; id: string; label: string } {
  return { type: 'oauth_client', id, label: name };
}
