import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AuditService } from '../../../audit';
import { AttemptOrigin, LoginResult } from '../../../login';
import { UserAdmissionService } from '../../../platform/access';
import { Caller, contextOf } from '../../../platform/context';
import { Transactions } from '../../../platform/database';
import { ProblemError } from '../../../platform/errors';
import { RateLimiterService } from '../../../platform/http';
import { MetricsService } from '../../../platform/metrics';
import { toProblem } from '../../../platform/problems';
import { withDeadline } from '../../../platform/time';
import { IdentitiesService, ExternalIdentity } from '../identities';
import { oauthErrors } from '../third-party-login.errors';
import {
  ProviderView,
  authorizationServerErrors,
  ExternalProfile,
  IdentityProviderRegistry,
  UsableProvider,
} from '../providers';
import { AccountLinkTokensService } from './account-link-tokens.service';
import { CallbackDto } from './dto/callback.dto';
import { FlowCookiesService } from './flow-cookies.service';
import { FLOW_LIMIT } from './login-start.service';
import { AuthorizationRequestStore, StoredRequest } from './authorization-request.store';
import { FederatedLoginService } from './federated-login.service';
import { noteInteraction } from './pending-interaction';

export type CallbackOutcome =
  | { readonly status: 'logged_in'; readonly result: LoginResult; readonly returnTo: string }
  | { readonly status: 'bound'; readonly returnTo: string }
  | { readonly status: 'bind_required'; readonly token: string; readonly profile: ExternalProfile };

/** What is known of the attempt so far, for audit and metrics. */
interface CallbackAttempt {
  provider?: ProviderView;
  state?: StoredRequest;
}

const PATIENCE_MS = 8_000;
const MODES: Readonly<Record<string, StoredRequest['mode']>> = {
  true: 'bind',
  '1': 'bind',
  false: 'login',
  '0': 'login',
};

/** Completes a login at a provider: verifies the callback, then logs in, links, or asks for an account. */
@Injectable()
export class CallbackService {
  constructor(
    private readonly identityProviders: IdentityProviderRegistry,
    private readonly states: AuthorizationRequestStore,
    private readonly cookies: FlowCookiesService,
    private readonly users: UserAdmissionService,
    private readonly logins: FederatedLoginService,
    private readonly identities: IdentitiesService,
    private readonly linkTokens: AccountLinkTokensService,
    private readonly limiter: RateLimiterService,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
    private readonly metrics: MetricsService,
  ) {}

  /**
   * Errors: `state_invalid`, `provider_denied`, `provider_failed`, `identity_taken`, `user_disabled`, `account_locked`,
   * `rate_limited`, those of a registration.
   */
  async complete(
    name: string,
    input: CallbackDto,
    request: FastifyRequest,
    origin: AttemptOrigin,
  ): Promise<CallbackOutcome> {
    await this.limiter.count(FLOW_LIMIT, contextOf(request).limitKey);
    const attempt: CallbackAttempt = {};
    try {
      const outcome = await this.verify(name, input, { request, origin, attempt });
      this.count(attempt, outcome.status === 'logged_in' ? 'success' : outcome.status);
      return outcome;
    } catch (error) {
      this.count(attempt, toProblem(error).code);
      await this.recordFailure(error, attempt);
      throw error;
    }
  }

  private async verify(
    name: string,
    input: CallbackDto,
    { request, origin, attempt }: { request: FastifyRequest; origin: AttemptOrigin; attempt: CallbackAttempt },
  ): Promise<CallbackOutcome> {
    // Consumes the state first, so that it cannot be used twice, whatever the outcome.
    const state = await this.takeState(input, request, attempt);
    const usable = await this.identityProviders.find(name);
    if (usable) attempt.provider = usable.provider;
    // The error text comes from the provider or an attacker, so it is neither stored nor shown.
    if (input.error !== undefined) throw authorizationServerErrors.providerDenied();
    if (!usable || !state) throw oauthErrors.stateInvalid();
    const { provider } = usable;
    if (!matches(state, provider, input)) throw oauthErrors.stateInvalid();
    if (state.mode === 'bind') await this.requireLinkingUser(state, request);
    const profile = await this.trade(usable, state, input);
    await this.requireUnchanged(provider);
    const identity = { provider, profile };
    return state.mode === 'bind' ? this.bind(identity, state, request) : this.logIn(identity, state, origin);
  }

  /** Undefined for an unknown state and for that of another browser. */
  private async takeState(
    input: CallbackDto,
    request: FastifyRequest,
    attempt: CallbackAttempt,
  ): Promise<StoredRequest | undefined> {
    const state = input.state === undefined ? undefined : await this.states.take(input.state);
    if (!state) return undefined;
    attempt.state = state;
    if (!(await this.cookies.browsers(request)).includes(state.browser)) return undefined;
    noteInteraction(request, state.returnTo);
    return state;
  }

  /** The provider may have changed while it was called. Errors: `state_invalid`. */
  private async requireUnchanged({ id, name, version }: ProviderView): Promise<void> {
    const now = (await this.identityProviders.find(name))?.provider;
    if (now?.id !== id || now.version !== version) throw oauthErrors.stateInvalid();
  }

  /**
   * The session that requested the linking must still be logged in. Errors: `state_invalid`, and those of a user who
   * must first change the password or set up a second factor.
   */
  private async requireLinkingUser({ userId, sessionId }: StoredRequest, request: FastifyRequest): Promise<Caller> {
    try {
      const caller = await this.users.require(request);
      if (caller.userId === userId && caller.sessionId === sessionId) return caller;
    } catch (error) {
      if (!(error instanceof ProblemError && error.status === 401)) throw error;
      throw oauthErrors.stateInvalid({ cause: error });
    }
    throw oauthErrors.stateInvalid();
  }

  private async trade(
    { identityProvider }: UsableProvider,
    state: StoredRequest,
    input: CallbackDto,
  ): Promise<ExternalProfile> {
    const { redirectUri, nonce, codeVerifier } = state;
    const { bind_mode: _hint, BindMode: _spelling, ...sent } = input;
    const params = Object.fromEntries(
      Object.entries(sent).filter((entry): entry is [string, string] => Boolean(entry[1])),
    );
    const verifier = codeVerifier === undefined ? {} : { codeVerifier };
    try {
      return await withDeadline(PATIENCE_MS, identityProvider.complete({ params, redirectUri, nonce, ...verifier }));
    } catch (error) {
      throw error instanceof ProblemError ? error : authorizationServerErrors.providerFailed({ cause: error });
    }
  }

  /** Requires the session again, because it may have ended since the callback started. */
  private async bind(
    identity: ExternalIdentity,
    state: StoredRequest,
    request: FastifyRequest,
  ): Promise<CallbackOutcome> {
    await this.identities.bind(await this.requireLinkingUser(state, request), identity);
    return { status: 'bound', returnTo: state.returnTo };
  }

  private async logIn(
    identity: ExternalIdentity,
    state: StoredRequest,
    origin: AttemptOrigin,
  ): Promise<CallbackOutcome> {
    const result = await this.logins.logIn(identity, origin);
    if (result) return { status: 'logged_in', result, returnTo: state.returnTo };
    const { provider, profile } = identity;
    const token = await this.transactions.run(async () => {
      await this.audit.record({ action: 'oauth.bind_required', target: targetOf(provider) });
      return this.linkTokens.issue(identity, state.browser);
    });
    return { status: 'bind_required', token, profile };
  }

  private count({ provider }: CallbackAttempt, outcome: string): void {
    this.metrics.countLogin(provider ? `oauth:${provider.name}` : 'oauth', outcome);
  }

  private async recordFailure(error: unknown, { provider, state }: CallbackAttempt): Promise<void> {
    // Defects and database outages are not failed logins, and could not be recorded either.
    if (!(error instanceof ProblemError) || [500, 503].includes(error.status)) return;
    await this.audit.recordFailure({
      action: 'oauth.callback',
      ...(provider && { target: targetOf(provider) }),
      after: { code: error.code, ...(state && { mode: state.mode }) },
    });
  }
}

function matches(state: StoredRequest, provider: ProviderView, { bind_mode, BindMode }: CallbackDto): boolean {
  const isSameProvider = state.providerId === provider.id && state.providerVersion === provider.version;
  // The stored mode decides. A mode in the callback must only match it.
  const modes = [bind_mode, BindMode].filter((mode): mode is string => mode !== undefined && mode !== '');
  return isSameProvider && modes.every((mode) => MODES[mode.toLowerCase()] === state.mode);
}

const targetOf = ({ id, name }: ProviderView): { type: string; id: string; label: string } => ({
  type: 'oauth_provider',
  id,
  label: name,
});
