import { Injectable } from '@nestjs/common';
import type Provider from 'oidc-provider';
import type { InteractionResults } from 'oidc-provider';
import { accessErrors } from '../../../platform/access';
import { sha256 } from '../../../platform/crypto';
import { DatabaseClock, Transactions } from '../../../platform/database';
import { platformErrors } from '../../../platform/errors';
import type { BrowserSession } from '../../../session';
import type { OrganizationOverlay } from '../../../organizations';
import { ShownUsersService, UserView } from '../../../users';
import { ClientCache } from '../clients/client.cache';
import { OAuthClient } from '../clients/client.entity';
import { ConsentsService } from '../consents/consents.service';
import { addScopes, RequestedScopes, namesOf, narrowed } from '../consents/grants.service';
import { authenticationOf, hasTwoFactors, TWO_FACTORS_WANTED } from '../engine/authentication-context.service';
import { countsIn, decidedIn } from '../engine/decisions';
import { OidcEngineService } from '../engine/oidc-engine.service';
import { answerOf, newLoginReasons } from '../engine/prompts';
import { interactionErrors } from './interaction.errors';
import { isAccepted, RequestedOrganizationService } from '../claims/requested-organization.service';
import { OidcModelRepository } from '../storage/oidc-model.repository';
import { DecideDto } from './interaction.dto';

type Interaction = InstanceType<Provider['Interaction']>;
type Grant = InstanceType<Provider['Grant']>;

export interface RequestedInteraction {
  readonly uid: string;
  readonly kind: string;
  readonly client: OAuthClient;
  readonly scopes: readonly string[];
  readonly user: UserView | undefined;
  /** What the organization of the request has set, if any. */
  readonly organization: OrganizationOverlay | undefined;
}

interface Loaded {
  readonly provider: Provider;
  readonly interaction: Interaction;
  readonly client: OAuthClient;
}

const UID = /^[\w-]{20,64}$/;
const DENIED: InteractionResults = { error: 'access_denied', error_description: 'the end-user denied the request' };

/** The steps that involve the user: login and consent, on pages of this service. */
@Injectable()
export class InteractionsService {
  constructor(
    private readonly engine: OidcEngineService,
    private readonly clients: ClientCache,
    private readonly consents: ConsentsService,
    private readonly artifacts: OidcModelRepository,
    private readonly users: ShownUsersService,
    private readonly clock: DatabaseClock,
    private readonly transactions: Transactions,
    private readonly organizations: RequestedOrganizationService,
  ) {}

  /** Errors: `not_found`, `unauthenticated` (a consent without a login), `interaction_answered`. */
  async find(uid: string, login: BrowserSession | undefined): Promise<RequestedInteraction> {
    const { interaction, client } = await this.load(uid, login);
    return {
      uid,
      kind: isConsent(interaction) ? 'consent' : 'login',
      client,
      scopes: namesOf(requestedScopesOf(interaction)),
      user: login && (await this.users.get(login.userId)),
      organization: await this.organizations.overlayOf(interaction.params),
    };
  }

  /** What the organization of the request has set, for the page of the request. Undefined also for an unknown `uid`. */
  async organizationOf(uid: string): Promise<OrganizationOverlay | undefined> {
    const interaction = await this.findInteraction(await this.engine.current(), uid);
    return interaction && this.organizations.overlayOf(interaction.params);
  }

  /**
   * Returns the URL for the browser. Errors: `not_found`, `unauthenticated`, `interaction_answered`,
   * `reauthentication_required` (the application requires a newer login), `login_method_not_accepted`.
   */
  async decide(uid: string, body: DecideDto, login: BrowserSession | undefined): Promise<string> {
    const loaded = await this.load(uid, login);
    const { interaction } = loaded;
    if (body.decision === 'deny') return this.finish(interaction, DENIED);
    if (!login) throw platformErrors.unauthenticated();
    const { sessionId } = login;
    const { lastSubmission: before } = interaction;
    // Stores the decision and its grant atomically, so that only one of several concurrent decisions has an effect.
    return this.transactions.run(async () => {
      const result = isConsent(interaction)
        ? await this.allow(loaded, login, body.scopes)
        : await this.logIn(interaction, login);
      const earlier = before && countsIn(sessionId, before) ? before : {};
      return this.finish(interaction, decidedIn(sessionId, { ...earlier, ...result }));
    });
  }

  private async load(uid: string, login: BrowserSession | undefined): Promise<Loaded> {
    const provider = await this.engine.current();
    const interaction = await this.findInteraction(provider, uid);
    const client = interaction && (await this.clients.get(String(interaction.params['client_id'])));
    if (!interaction || !client) throw platformErrors.notFound();
    if (isConsent(interaction) && login) requireInteractionUser(interaction, login);
    // Before the login is required: logging in does not help, because the decision cannot be made again.
    if (interaction.result) throw interactionErrors.interactionAnswered();
    if (isConsent(interaction) && !login) throw platformErrors.unauthenticated();
    return { provider, interaction, client };
  }

  private async findInteraction(provider: Provider, uid: string): Promise<Interaction | undefined> {
    return UID.test(uid) ? provider.Interaction.find(uid) : undefined;
  }

  private async logIn(interaction: Interaction, login: BrowserSession): Promise<InteractionResults> {
    if (login.authenticatedAt < this.newEnoughFrom(interaction, login)) throw platformErrors.reauthenticationRequired();
    await this.requireAccepted(interaction, login);
    const ts = Math.floor(login.authenticatedAt / 1_000);
    return {
      login: { accountId: login.userId, ts, ...authenticationOf(login) },
      ...answerOf(interaction.prompt.name),
    };
  }

  /** Before the request continues, because it asks for another login only once. */
  private async requireAccepted({ params }: Interaction, { loginMethod }: BrowserSession): Promise<void> {
    const overlay = await this.organizations.overlayOf(params);
    if (overlay && !isAccepted(overlay, loginMethod)) throw accessErrors.loginMethodNotAccepted();
  }

  /** The time in milliseconds after which the login must have happened. */
  private newEnoughFrom({ prompt, params, iat }: Interaction, login: BrowserSession): number {
    const isStepUp = prompt.reasons.includes(TWO_FACTORS_WANTED) && !hasTwoFactors(login);
    // Times are whole seconds, so a login in the second of the request counts as new.
    const isNewWanted = newLoginReasons.some((reason) => prompt.reasons.includes(reason));
    if (isStepUp || isNewWanted) return iat * 1_000;
    if (prompt.reasons.includes('max_age')) return this.clock.now() - Number(params['max_age']) * 1_000 - 1_000;
    return 0;
  }

  private async allow(
    { provider, interaction, client }: Loaded,
    login: BrowserSession,
    chosen: readonly string[] | undefined,
  ): Promise<InteractionResults> {
    const owner = { accountId: login.userId, clientId: client.clientId };
    const asked = requestedScopesOf(interaction, await grantOf(provider, interaction, owner));
    const isAllowed = (scope: string): boolean => scope === 'openid' || (chosen?.includes(scope) ?? true);
    const allowed = narrowed(asked, isAllowed);
    const rejected = narrowed(asked, (scope) => !isAllowed(scope));
    const username = (await this.users.get(login.userId))?.username ?? '';
    const actor = { id: login.userId, username, sessionId: login.sessionId };
    // Locks the consent first, in the same order as its withdrawal, to prevent deadlocks.
    await this.consents.remember(actor, client, namesOf(allowed), namesOf(rejected));
    // Reads the grant again, because a withdrawal may have ended it, and its scopes must not be restored.
    const grant = await grantOf(provider, interaction, owner);
    removeRejections(grant, isAllowed);
    addScopes(grant, allowed);
    reject(grant, rejected);
    const grantId = await grant.save();
    await this.artifacts.bindGrant(sha256(grantId), login.sessionId);
    return { consent: { grantId } };
  }

  /** Errors: `interaction_answered`, also if it was continued in the meantime. */
  private async finish({ uid, returnTo }: Interaction, result: InteractionResults): Promise<string> {
    if (!(await this.artifacts.answerInteraction(sha256(uid), result))) {
      throw interactionErrors.interactionAnswered();
    }
    return returnTo;
  }
}

const isConsent = ({ prompt }: Interaction): boolean => prompt.name === 'consent';

function requireInteractionUser({ session }: Interaction, login: BrowserSession): void {
  if (session?.accountId !== login.userId) throw platformErrors.notFound();
}

/** The grant of the request, or a new one if there is none. */
async function grantOf(
  provider: Provider,
  { grantId }: Interaction,
  owner: { accountId: string; clientId: string },
): Promise<Grant> {
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  return known ?? new provider.Grant(owner);
}

/**
 * The requested scopes: for a consent the missing ones or, if none is missing, all. For a login all that will be
 * requested.
 */
function requestedScopesOf({ prompt, params }: Interaction, grant?: Grant): RequestedScopes {
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

/** Removes earlier rejections of scopes that are granted now. */
function removeRejections({ rejected }: Grant, isAllowed: (scope: string) => boolean): void {
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

/** Records rejected scopes, so that the user is not asked again in this session. */
function reject(grant: Grant, { identity, resources }: RequestedScopes): void {
  if (identity.length > 0) grant.rejectOIDCScope([...identity]);
  for (const [resource, scopes] of Object.entries(resources)) {
    if (scopes.length > 0) grant.rejectResourceScope(resource, [...scopes]);
  }
}
