import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Audit } from '../../audit';
import { Entered } from '../../auth';
import { AccessPorts, requireUser } from '../../platform/access';
import { Caller, contextOf } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { ProblemError } from '../../platform/errors';
import { RateLimiter } from '../../platform/http';
import { Metrics } from '../../platform/metrics';
import { toProblem } from '../../platform/problems';
import { withDeadline } from '../../platform/time';
import { Identities, UpstreamPerson } from '../identities';
import { oauthErrors } from '../oauth.errors';
import { ProviderView, providerErrors, UpstreamProfile, Upstreams, UsableProvider } from '../providers';
import { BindTickets } from './bind-tickets';
import { CallbackDto } from './dto/callback.dto';
import { FlowCookies } from './flow-cookies';
import { FLOW_LIMIT } from './login-start';
import { LoginStates, ReturnedState } from './login-states';
import { PersonLogin } from './person-login';

export type CallbackOutcome =
  | { readonly status: 'logged_in'; readonly entered: Entered; readonly returnTo: string }
  | { readonly status: 'bound'; readonly returnTo: string }
  | { readonly status: 'bind_required'; readonly token: string; readonly profile: UpstreamProfile };

/** What is known of the attempt so far, for the audit and the metrics of its end. */
interface Trace {
  provider?: ProviderView;
  state?: ReturnedState;
}

const PATIENCE_MS = 8_000;
const MODES: Readonly<Record<string, ReturnedState['mode']>> = {
  true: 'bind',
  '1': 'bind',
  false: 'login',
  '0': 'login',
};

/** Ends a login at a provider: what came back is judged, and logs in, binds, or asks for an account. */
@Injectable()
export class CallbackService {
  constructor(
    private readonly upstreams: Upstreams,
    private readonly states: LoginStates,
    private readonly cookies: FlowCookies,
    private readonly access: AccessPorts,
    private readonly logins: PersonLogin,
    private readonly identities: Identities,
    private readonly tickets: BindTickets,
    private readonly limiter: RateLimiter,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Errors: `state_invalid`, `provider_denied`, `provider_failed`, `identity_taken`, `user_disabled`, `account_locked`,
   * `rate_limited`, those of a registration.
   */
  async complete(name: string, input: CallbackDto, request: FastifyRequest): Promise<CallbackOutcome> {
    await this.limiter.count(FLOW_LIMIT, contextOf(request).limitKey);
    const trace: Trace = {};
    try {
      const outcome = await this.judge(name, input, request, trace);
      this.count(trace, outcome.status === 'logged_in' ? 'success' : outcome.status);
      return outcome;
    } catch (error) {
      this.count(trace, toProblem(error).code);
      await this.recordRefusal(error, trace);
      throw error;
    }
  }

  private async judge(
    name: string,
    input: CallbackDto,
    request: FastifyRequest,
    trace: Trace,
  ): Promise<CallbackOutcome> {
    // Spent before anything else: whatever comes of it, nobody comes back with it.
    const state = input.state === undefined ? undefined : await this.states.take(input.state);
    const usable = await this.upstreams.find(name);
    if (usable) trace.provider = usable.provider;
    if (state) trace.state = state;
    // Its words are the provider's, or anybody's: they are neither kept nor shown.
    if (input.error !== undefined) throw providerErrors.providerDenied();
    if (!usable || !state) throw oauthErrors.stateInvalid();
    const { provider } = usable;
    if (!(await this.isOurs(state, provider, input, request))) throw oauthErrors.stateInvalid();
    if (state.mode === 'bind') await this.requireBinder(state, request);
    const profile = await this.trade(usable, state, input);
    await this.requireUnchanged(provider);
    const person = { provider, profile };
    return state.mode === 'bind' ? this.bind(person, state, request) : this.logIn(person, state, request);
  }

  /** It may have taken seconds to answer. Errors: `state_invalid`. */
  private async requireUnchanged({ id, name, version }: ProviderView): Promise<void> {
    const now = (await this.upstreams.find(name))?.provider;
    if (now?.id !== id || now.version !== version) throw oauthErrors.stateInvalid();
  }

  private async isOurs(
    state: ReturnedState,
    provider: ProviderView,
    { bind_mode }: CallbackDto,
    request: FastifyRequest,
  ): Promise<boolean> {
    const isSameProvider = state.providerId === provider.id && state.providerVersion === provider.version;
    // The mode is the state's; what the client says of it must agree and decides nothing.
    const agrees = !bind_mode || MODES[bind_mode.toLowerCase()] === state.mode;
    return isSameProvider && agrees && (await this.cookies.browsers(request)).includes(state.browser);
  }

  /**
   * The very session that asked for the binding, still logged in. Errors: `state_invalid`; as everywhere, those of whoever
   * has to change the password, or to set up a second factor, first.
   */
  private async requireBinder({ userId, sessionId }: ReturnedState, request: FastifyRequest): Promise<Caller> {
    try {
      const caller = await requireUser(this.access, request);
      if (caller.userId === userId && caller.sessionId === sessionId) return caller;
    } catch (error) {
      if (!(error instanceof ProblemError && error.status === 401)) throw error;
      throw oauthErrors.stateInvalid({ cause: error });
    }
    throw oauthErrors.stateInvalid();
  }

  private async trade(
    { upstream }: UsableProvider,
    state: ReturnedState,
    input: CallbackDto,
  ): Promise<UpstreamProfile> {
    const { redirectUri, nonce, codeVerifier } = state;
    const { bind_mode: _hint, ...sent } = input;
    const params = Object.fromEntries(
      Object.entries(sent).filter((entry): entry is [string, string] => Boolean(entry[1])),
    );
    const verifier = codeVerifier === undefined ? {} : { codeVerifier };
    try {
      return await withDeadline(PATIENCE_MS, upstream.complete({ params, redirectUri, nonce, ...verifier }));
    } catch (error) {
      throw error instanceof ProblemError ? error : providerErrors.providerFailed({ cause: error });
    }
  }

  /** In the session that asked for it, which may have ended since the callback began. */
  private async bind(person: UpstreamPerson, state: ReturnedState, request: FastifyRequest): Promise<CallbackOutcome> {
    await this.identities.bind(await this.requireBinder(state, request), person);
    return { status: 'bound', returnTo: state.returnTo };
  }

  private async logIn(person: UpstreamPerson, state: ReturnedState, request: FastifyRequest): Promise<CallbackOutcome> {
    const entered = await this.logins.logIn(person, request);
    if (entered) return { status: 'logged_in', entered, returnTo: state.returnTo };
    const { provider, profile } = person;
    const token = await this.transactions.run(async () => {
      await this.audit.record({ action: 'oauth.bind_required', target: targetOf(provider) });
      return this.tickets.issue(person, state.browser);
    });
    return { status: 'bind_required', token, profile };
  }

  private count({ provider }: Trace, outcome: string): void {
    this.metrics.countLogin(provider ? `oauth:${provider.name}` : 'oauth', outcome);
  }

  private async recordRefusal(error: unknown, { provider, state }: Trace): Promise<void> {
    // A defect, or a database that is away, is no refusal, and could not be written down either.
    if (!(error instanceof ProblemError) || [500, 503].includes(error.status)) return;
    await this.audit.recordFailure({
      action: 'oauth.callback',
      ...(provider && { target: targetOf(provider) }),
      after: { code: error.code, ...(state && { mode: state.mode }) },
    });
  }
}

const targetOf = ({ id, name }: ProviderView): { type: string; id: string; label: string } => ({
  type: 'oauth_provider',
  id,
  label: name,
});
