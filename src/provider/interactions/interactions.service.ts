import { Injectable } from '@nestjs/common';
import type Provider from 'oidc-provider';
import type { InteractionResults } from 'oidc-provider';
import { sha256 } from '../../platform/crypto';
import { DatabaseClock, Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import type { LoginState } from '../../session';
import { KnownUser, UserState } from '../../users';
import { ClientState } from '../clients/client-state';
import { OAuthClient } from '../clients/client.entity';
import { Consents } from '../consents/consents.service';
import { addScopes, AskedScopes, namesOf, narrowed } from '../consents/grants';
import { authenticationOf, hasTwoFactors, TWO_FACTORS_WANTED } from '../engine/authentication-context';
import { Engine } from '../engine/engine';
import { ArtifactRepository } from '../storage/artifact.repository';
import { DecideDto } from './interaction.dto';

type Interaction = InstanceType<Provider['Interaction']>;
type Grant = InstanceType<Provider['Grant']>;

export interface Asked {
  readonly uid: string;
  readonly kind: string;
  readonly client: OAuthClient;
  readonly scopes: readonly string[];
  readonly user: KnownUser | undefined;
}

const UID = /^[\w-]{20,64}$/;
const DENIED: InteractionResults = { error: 'access_denied', error_description: 'the end-user denied the request' };
/** Under which the result says in which session it was given. */
export const DECIDED_IN = 'castellan_session';

/** The steps in which a user takes part: the login and the consent, on pages of our own. */
@Injectable()
export class Interactions {
  constructor(
    private readonly engine: Engine,
    private readonly clients: ClientState,
    private readonly consents: Consents,
    private readonly artifacts: ArtifactRepository,
    private readonly users: UserState,
    private readonly clock: DatabaseClock,
    private readonly transactions: Transactions,
  ) {}

  /** Errors: `not_found`, `unauthenticated` (a consent that is somebody else's to give). */
  async find(uid: string, login: LoginState | undefined): Promise<Asked> {
    const { interaction, client } = await this.load(uid);
    if (interaction.prompt.name === 'consent') requireAskedUser(interaction, login);
    return {
      uid,
      kind: interaction.prompt.name,
      client,
      scopes: namesOf(askedOf(interaction)),
      user: login && (await this.users.find(login.userId)),
    };
  }

  /**
   * Answers where the browser goes on. Errors: `not_found`, `unauthenticated`, `reauthentication_required` (the
   * application wants a newer login), `validation_failed`.
   */
  async decide(uid: string, body: DecideDto, login: LoginState | undefined): Promise<string> {
    const { provider, interaction, client } = await this.load(uid);
    const isConsent = interaction.prompt.name === 'consent';
    if (isConsent) requireAskedUser(interaction, login);
    if (body.decision === 'deny') return this.finish(interaction, DENIED);
    if (!login) throw platformErrors.unauthenticated();
    const result = isConsent
      ? await this.allow(provider, interaction, client, login, body.scopes)
      : this.logIn(interaction, login);
    return this.finish(interaction, { ...interaction.lastSubmission, ...result, [DECIDED_IN]: login.sessionId });
  }

  /** What was decided in another session than the one that goes on counts for nothing there. */
  async dropForeignDecision(uid: string, login: LoginState | undefined): Promise<void> {
    if (!UID.test(uid)) return;
    const provider = await this.engine.current();
    const interaction = await provider.Interaction.find(uid);
    const result = interaction?.result;
    if (!interaction || !result || 'error' in result || result[DECIDED_IN] === login?.sessionId) return;
    delete interaction.result;
    delete interaction.lastSubmission;
    await interaction.persist();
  }

  private async load(uid: string): Promise<{ provider: Provider; interaction: Interaction; client: OAuthClient }> {
    const provider = await this.engine.current();
    const interaction = UID.test(uid) ? await provider.Interaction.find(uid) : undefined;
    const client = interaction && (await this.clients.find(String(interaction.params['client_id'])));
    if (!interaction || !client) throw platformErrors.notFound();
    return { provider, interaction, client };
  }

  private logIn(interaction: Interaction, login: LoginState): InteractionResults {
    if (login.authenticatedAt < this.newEnoughFrom(interaction, login)) throw platformErrors.reauthenticationRequired();
    const ts = Math.floor(login.authenticatedAt / 1_000);
    return { login: { accountId: login.userId, ts, ...authenticationOf(login) } };
  }

  /** From when on, in milliseconds, a proof of identity is as new as the application wants it. */
  private newEnoughFrom({ prompt, params, iat }: Interaction, login: LoginState): number {
    const isStepUp = prompt.reasons.includes(TWO_FACTORS_WANTED) && !hasTwoFactors(login);
    // Whole seconds: a login in the very second in which it was asked for is new.
    if (isStepUp || prompt.reasons.includes('login_prompt')) return iat * 1_000;
    if (prompt.reasons.includes('max_age')) return this.clock.now() - Number(params['max_age']) * 1_000 - 1_000;
    return 0;
  }

  private async allow(
    provider: Provider,
    interaction: Interaction,
    client: OAuthClient,
    login: LoginState,
    chosen: readonly string[] | undefined,
  ): Promise<InteractionResults> {
    const owner = { accountId: login.userId, clientId: client.clientId };
    const asked = askedOf(interaction, await grantOf(provider, interaction, owner));
    const isAllowed = (scope: string): boolean => scope === 'openid' || (chosen?.includes(scope) ?? true);
    const allowed = narrowed(asked, isAllowed);
    const refused = narrowed(asked, (scope) => !isAllowed(scope));
    const username = (await this.users.find(login.userId))?.username ?? '';
    const actor = { id: login.userId, username, sessionId: login.sessionId };
    const grantId = await this.transactions.run(async () => {
      // The consent first, as where it is withdrawn, so that nobody waits in a ring.
      await this.consents.remember(actor, client, namesOf(allowed), namesOf(refused));
      // As it is now: a withdrawal since then has ended the grant, and what it held must not come back.
      const grant = await grantOf(provider, interaction, owner);
      unrefuse(grant, isAllowed);
      addScopes(grant, allowed);
      refuse(grant, refused);
      const id = await grant.save();
      await this.artifacts.bindGrant(sha256(id), login.sessionId);
      return id;
    });
    return { consent: { grantId } };
  }

  private async finish(interaction: Interaction, result: InteractionResults): Promise<string> {
    interaction.result = result;
    // The login may be another by now; the one that goes on is compared with the decision instead.
    interaction.session = undefined;
    await interaction.persist();
    return interaction.returnTo;
  }
}

function requireAskedUser({ session }: Interaction, login: LoginState | undefined): void {
  if (!login || session?.accountId !== login.userId) throw platformErrors.unauthenticated();
}

/** The one that the request was judged by; a new one where there was none, or is no longer. */
async function grantOf(
  provider: Provider,
  { grantId }: Interaction,
  owner: { accountId: string; clientId: string },
): Promise<Grant> {
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  return known ?? new provider.Grant(owner);
}

/** For a consent what is missing or, where nothing is, all that it is about; for a login all that will be. */
function askedOf({ prompt, params }: Interaction, grant?: Grant): AskedScopes {
  const { missingOIDCScope, missingResourceScopes } = prompt.details as {
    missingOIDCScope?: string[];
    missingResourceScopes?: Record<string, string[]>;
  };
  if (missingOIDCScope !== undefined || missingResourceScopes !== undefined) {
    return { identity: missingOIDCScope ?? [], resources: missingResourceScopes ?? {} };
  }
  const scope = typeof params['scope'] === 'string' ? params['scope'] : '';
  const names = scope.split(' ').filter(Boolean);
  const resources = Object.entries(grant?.resources ?? {}).map(([resource, granted]): [string, string[]] => {
    const offered = new Set(granted.split(' '));
    return [resource, names.filter((name) => offered.has(name))];
  });
  const permissions = new Set(resources.flatMap(([, found]) => found));
  return { identity: names.filter((name) => !permissions.has(name)), resources: Object.fromEntries(resources) };
}

/** What is allowed now counts, whatever was said before. */
function unrefuse({ rejected }: Grant, isAllowed: (scope: string) => boolean): void {
  const without = (scopes = ''): string =>
    scopes
      .split(' ')
      .filter((scope) => !isAllowed(scope))
      .join(' ');
  if (rejected?.openid) rejected.openid.scope = without(rejected.openid.scope);
  for (const [resource, scopes] of Object.entries(rejected?.resources ?? {})) {
    Object.assign(rejected?.resources ?? {}, { [resource]: without(scopes) });
  }
}

/** So that they are not asked for again in this session. */
function refuse(grant: Grant, { identity, resources }: AskedScopes): void {
  if (identity.length > 0) grant.rejectOIDCScope([...identity]);
  for (const [resource, scopes] of Object.entries(resources)) {
    if (scopes.length > 0) grant.rejectResourceScope(resource, [...scopes]);
  }
}
