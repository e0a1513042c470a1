import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../audit';
import { Caller } from '../../../platform/context';
import { randomToken, sha256 } from '../../../platform/crypto';
import { Transactions } from '../../../platform/database';
import { platformErrors } from '../../../platform/errors';
import { listByPage, PageAnswer, pageOf } from '../../../platform/lists';
import { ConsentRepository } from './consent.repository';
import { OidcModelRepository } from '../storage/oidc-model.repository';
import { ClientAccessService } from './client-access.service';
import { discloseMore } from './client-claims';
import { narrows, takesAway, targetOf, updateEntries } from './client-fields';
import { ClientInputService } from './client-input.service';
import { checkClient } from './client-rules';
import { PERMISSIONS_SCOPE } from './client-scopes.service';
import { ClientCache } from './client.cache';
import { ChangeClientDto, ListClientsDto } from './client.dto';
import { OAuthClient } from './client.entity';
import { ClientChange, ClientRepository } from './client.repository';
import { clientActs } from '../core/authorization-server.acts';

/** Manages OAuth clients for their owners and administrators. */
@Injectable()
export class ClientsService {
  constructor(
    private readonly access: ClientAccessService,
    private readonly clients: ClientRepository,
    private readonly state: ClientCache,
    private readonly artifacts: OidcModelRepository,
    private readonly input: ClientInputService,
    private readonly consents: ConsentRepository,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /** Newest first: all clients, or all of the organization, if the caller may read them, otherwise the caller's own. */
  async list(caller: Caller, query: ListClientsDto): Promise<PageAnswer<OAuthClient>> {
    const page = pageOf(query);
    const organizationId = query.organization_id ?? null;
    const ownerId = (await this.access.mayReadAll(caller, organizationId)) ? null : caller.userId;
    const filter = { ownerId, organizationId };
    const [clients, total] = [await this.clients.list(filter, page), await this.clients.count(filter)];
    return listByPage(page, clients, total);
  }

  /** Errors: `validation_failed`, `not_found`, `permission_denied`, `escalation_denied`. */
  async change(caller: Caller, id: string, body: ChangeClientDto): Promise<OAuthClient> {
    const input = await this.input.read(body);
    return this.transactions.run(async () => {
      const locked = await this.access.lock(caller, id);
      const { client: before } = locked;
      const change = await this.input.changeOf(caller, locked, body, input);
      checkClient(Object.assign({}, before, change));
      await this.input.authorize(caller, input, change, locked);
      if (Object.keys(change).length === 0) return before;
      await this.clients.update(id, change);
      await this.endWhatIsTaken(before, change);
      const after = await this.clients.reload(id);
      await this.audit.recordAll(updateEntries(before, after));
      await this.state.invalidate(after.clientId);
      return after;
    });
  }

  /** Returns the new secret. Errors: `not_found` (also for a public client, which has none), `permission_denied`. */
  rotateSecret(caller: Caller, id: string, overlapSeconds: number): Promise<string> {
    const secret = randomToken();
    return this.transactions.run(async () => {
      const { client } = await this.access.lock(caller, id);
      if (client.isPublic) throw platformErrors.notFound();
      await this.clients.replaceSecret(id, sha256(secret), overlapSeconds);
      const after = { overlap_seconds: overlapSeconds };
      await this.audit.record(clientActs.rotateSecret, { target: targetOf(client), after });
      await this.state.invalidate(client.clientId);
      return secret;
    });
  }

  private async endWhatIsTaken(before: OAuthClient, change: ClientChange): Promise<void> {
    const isConsentOutdated = change.claims !== undefined && discloseMore(before.claims, change.claims);
    // Users have consented only to what the consent page listed.
    if (isConsentOutdated) await this.consents.removeScope(before.id, PERMISSIONS_SCOPE);
    if (takesAway(before, change) || (isConsentOutdated && !before.firstParty)) {
      await this.clients.endTokens(before.id);
      await this.artifacts.deleteOfClients([before.clientId]);
    } else if (narrows(before, change)) await this.artifacts.deleteUnderWay(before.clientId);
  }
}
