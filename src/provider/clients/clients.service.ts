import { Injectable } from '@nestjs/common';
import { Audit } from '../../audit';
import { Environment } from '../../platform/config';
import { Caller } from '../../platform/context';
import { newId, randomToken, sha256 } from '../../platform/crypto';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { listByPage, PageAnswer, PageQueryDto, pageOf } from '../../platform/lists';
import { Authority, everythingIn, Permissions, WILDCARD } from '../../rbac';
import { sessionErrors } from '../../session';
import { UserDeletions, UserRepository } from '../../users';
import { clientPermissions } from '../provider.permissions';
import { ArtifactRepository } from '../storage/artifact.repository';
import { LogoutNoticeRepository } from '../storage/logout-notice.repository';
import { checkClient } from './client-rules';
import { ClientScopes } from './client-scopes';
import { ClientState } from './client-state';
import { ChangeClientDto, CreateClientDto } from './client.dto';
import { GrantType, OAuthClient } from './client.entity';
import { ClientChange, ClientRepository, NewClient } from './client.repository';
import { originsOf } from './redirect-uri';

const CLIENT_ID_BYTES = 16;

/** A client, and its secret where one was made this very moment. */
export interface MadeClient {
  readonly client: OAuthClient;
  readonly secret: string | undefined;
}

/** The applications that log users in here, as their owners and administrators see and change them. */
@Injectable()
export class Clients {
  constructor(
    private readonly environment: Environment,
    private readonly clients: ClientRepository,
    private readonly state: ClientState,
    private readonly artifacts: ArtifactRepository,
    private readonly logouts: LogoutNoticeRepository,
    private readonly scopes: ClientScopes,
    private readonly permissions: Permissions,
    private readonly authority: Authority,
    private readonly users: UserRepository,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
    deletions: UserDeletions,
  ) {
    deletions.before((userId) => this.disableOwnedBy(userId));
  }

  /** The newest first: all of them for whoever may read them, else the caller's own. */
  async list(caller: Caller, query: PageQueryDto): Promise<PageAnswer<OAuthClient>> {
    const page = pageOf(query);
    const ownerId = (await this.mayRead(caller)) ? null : caller.userId;
    const [clients, total] = [await this.clients.list(ownerId, page), await this.clients.count(ownerId)];
    return listByPage(page, clients, total);
  }

  /** Errors: `not_found`, also where it is not the caller's to know of. */
  async find(caller: Caller, id: string): Promise<OAuthClient> {
    const client = await this.clients.findById(id);
    if (!client || (client.ownerId !== caller.userId && !(await this.mayRead(caller)))) throw platformErrors.notFound();
    return client;
  }

  /** Errors: `validation_failed`, `escalation_denied`, `session_revoked` (the account has just gone). */
  async create(caller: Caller, body: CreateClientDto): Promise<MadeClient> {
    const { scopes, grants } = await this.scopes.read(body.scopes ?? ['openid']);
    const secret = body.is_public ? undefined : randomToken();
    const client = newClient(caller, body, scopes, secret);
    checkClient(client);
    return this.transactions.run(async () => {
      // In this order, as where an account is deleted by its owner: nobody waits in a ring.
      await this.authority.stand();
      if (!(await this.users.lock(caller.userId))) throw sessionErrors.sessionRevoked();
      await this.authority.requireCover(caller, grants);
      if (client.firstParty) await this.requireEverything(caller);
      await this.clients.insert(client);
      const made = await this.require(client.id);
      await this.audit.record({ action: 'oauth_client.create', target: targetOf(made), after: auditedClient(made) });
      return { client: made, secret };
    });
  }

  /** Errors: `validation_failed`, `not_found`, `permission_denied`, `escalation_denied`. */
  async change(caller: Caller, id: string, body: ChangeClientDto): Promise<OAuthClient> {
    const read = body.scopes && (await this.scopes.read(body.scopes));
    return this.transactions.run(async () => {
      // First the authority, then the client, as where its owner is deleted: nobody waits in a ring.
      if (read || body.first_party !== undefined) await this.authority.stand();
      const before = await this.changeable(caller, id);
      const change = changeOf(before, body, read?.scopes);
      checkClient(Object.assign({}, before, change));
      if (read) await this.authority.requireCover(caller, read.grants);
      if (change.firstParty !== undefined) await this.requireEverything(caller);
      // Whoever sets the scopes stands for them from now on, also where they are the same.
      if (read && before.scopesSetBy !== caller.userId) change.scopesSetBy = caller.userId;
      if (Object.keys(change).length === 0) return before;
      await this.clients.update(id, change);
      await this.endWhatIsTaken(before, change);
      const after = await this.require(id);
      await this.audit.record({
        action: 'oauth_client.update',
        target: targetOf(after),
        before: auditedClient(before),
        after: auditedClient(after),
      });
      await this.state.changed(after.clientId);
      return after;
    });
  }

  private async endWhatIsTaken(before: OAuthClient, change: ClientChange): Promise<void> {
    if (takesAway(before, change)) {
      await this.clients.endTokens(before.id);
      await this.artifacts.deleteOfClients([before.clientId]);
    } else if (narrows(before, change)) await this.artifacts.deleteUnderWay(before.clientId);
  }

  /** Errors: `not_found`, `permission_denied`. */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.transactions.run(async () => {
      const before = await this.changeable(caller, id);
      await this.clients.delete(id);
      await this.artifacts.deleteOfClients([before.clientId]);
      await this.logouts.deleteOfClient(before.clientId);
      await this.audit.record({
        action: 'oauth_client.delete',
        target: targetOf(before),
        before: auditedClient(before),
      });
      await this.state.changed(before.clientId);
    });
  }

  /** Answers the new secret. Errors: `not_found` (also for a public client, which has none), `permission_denied`. */
  rotateSecret(caller: Caller, id: string, overlapSeconds: number): Promise<string> {
    const secret = randomToken();
    return this.transactions.run(async () => {
      const client = await this.changeable(caller, id);
      if (client.isPublic) throw platformErrors.notFound();
      await this.clients.replaceSecret(id, sha256(secret), overlapSeconds);
      const after = { overlap_seconds: overlapSeconds };
      await this.audit.record({ action: 'oauth_client.rotate_secret', target: targetOf(client), after });
      await this.state.changed(client.clientId);
      return secret;
    });
  }

  /** An application whose owner goes must not go on with nobody to answer for it. */
  private async disableOwnedBy(userId: string): Promise<void> {
    const disabled = await this.clients.disableOwnedBy(userId);
    await this.artifacts.deleteOfClients(disabled.map(({ clientId }) => clientId));
    for (const client of disabled) {
      await this.audit.record({
        action: 'oauth_client.disable',
        target: targetOf(client),
        before: { owner_id: userId, enabled: client.enabled },
        after: { owner_id: null, enabled: false },
      });
      await this.state.changed(client.clientId);
    }
  }

  private async changeable(caller: Caller, id: string): Promise<OAuthClient> {
    const client = await this.clients.lock(id);
    if (!client) throw platformErrors.notFound();
    if (client.ownerId === caller.userId || (await this.holdsEverything(caller))) return client;
    if (!(await this.mayRead(caller))) throw platformErrors.notFound();
    throw platformErrors.permissionDenied({
      params: { permission: `${WILDCARD}:${WILDCARD}`, scope: this.environment.serviceScope },
    });
  }

  private mayRead({ userId }: Caller): Promise<boolean> {
    return this.permissions.isGranted(userId, clientPermissions.read);
  }

  private holdsEverything({ userId }: Caller): Promise<boolean> {
    return this.permissions.allows(userId, everythingIn(this.environment.serviceScope));
  }

  private requireEverything(caller: Caller): Promise<void> {
    return this.authority.requireCover(caller, [everythingIn(this.environment.serviceScope)]);
  }

  private async require(id: string): Promise<OAuthClient> {
    const client = await this.clients.findById(id);
    if (!client) throw new Error(`Client ${id} vanished in its own transaction`);
    return client;
  }
}

function newClient(
  { userId }: Caller,
  body: CreateClientDto,
  scopes: readonly string[],
  secret: string | undefined,
): NewClient {
  const redirectUris = [...new Set(body.redirect_uris)];
  return {
    id: newId(),
    clientId: randomToken(CLIENT_ID_BYTES),
    name: body.name,
    description: body.description ?? '',
    logo: body.logo ?? '',
    redirectUris,
    postLogoutRedirectUris: [...new Set(body.post_logout_redirect_uris)],
    backchannelLogoutUri: body.backchannel_logout_uri ?? null,
    origins: originsOf(redirectUris),
    grantTypes: [...new Set<GrantType>(body.grant_types ?? ['authorization_code', 'refresh_token'])],
    scopes,
    scopesSetBy: userId,
    isPublic: body.is_public ?? false,
    firstParty: body.first_party ?? false,
    enabled: true,
    ownerId: userId,
    secretHash: secret === undefined ? null : sha256(secret),
  };
}

/** What of the body is not so already. */
function changeOf(before: OAuthClient, body: ChangeClientDto, scopes: readonly string[] | undefined): ClientChange {
  const { redirect_uris: redirectUris } = body;
  const wanted: { [Field in keyof ClientChange]: ClientChange[Field] | null } = {
    name: body.name,
    description: cleared(body.description),
    logo: cleared(body.logo),
    redirectUris: redirectUris && [...new Set(redirectUris)],
    origins: redirectUris && originsOf(redirectUris),
    postLogoutRedirectUris: body.post_logout_redirect_uris && [...new Set(body.post_logout_redirect_uris)],
    backchannelLogoutUri: body.backchannel_logout_uri,
    grantTypes: body.grant_types && [...new Set(body.grant_types)],
    scopes,
    firstParty: body.first_party,
    enabled: body.enabled,
  };
  const isNew = ([name, value]: [string, unknown]): boolean =>
    value !== undefined && JSON.stringify(before[name as keyof OAuthClient]) !== JSON.stringify(value);
  return Object.fromEntries(Object.entries(wanted).filter(isNew));
}

/** What was given under wider rules must not outlive them. */
function takesAway(before: OAuthClient, { enabled, firstParty, scopes }: ClientChange): boolean {
  return enabled === false || firstParty === false || isAnyLost(before.scopes, scopes);
}

/** What is under way was judged by rules that are no more. */
function narrows(before: OAuthClient, { redirectUris, grantTypes }: ClientChange): boolean {
  return isAnyLost(before.redirectUris, redirectUris) || isAnyLost(before.grantTypes, grantTypes);
}

const isAnyLost = (before: readonly string[], after: readonly string[] | undefined): boolean =>
  after !== undefined && before.some((value) => !after.includes(value));

const cleared = (text: string | null | undefined): string | undefined => (text === null ? '' : text);

function auditedClient(client: OAuthClient): object {
  return {
    name: client.name,
    redirect_uris: client.redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    backchannel_logout_uri: client.backchannelLogoutUri,
    grant_types: client.grantTypes,
    scopes: client.scopes,
    scopes_set_by: client.scopesSetBy,
    is_public: client.isPublic,
    first_party: client.firstParty,
    enabled: client.enabled,
    owner_id: client.ownerId,
  };
}

function targetOf({ id, name }: OAuthClient): { type: string; id: string; label: string } {
  return { type: 'oauth_client', id, label: name };
}
