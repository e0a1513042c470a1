import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { UserAdmissionService } from '../../../platform/access';
import { Caller } from '../../../platform/context';
import { ProblemError } from '../../../platform/errors';
import { withDeadline } from '../../../platform/util';
import { ExternalIdentity } from '../identities';
import {
  authorizationServerErrors,
  ExternalProfile,
  IdentityProviderRegistry,
  ProviderView,
  UsableProvider,
} from '../providers';
import { oauthErrors } from '../third-party-login.errors';
import { AuthorizationRequestStore, StoredRequest } from './authorization-request.store';
import { CallbackDto } from './dto/callback.dto';
import { FlowCookiesService } from './flow-cookies.service';
import { noteInteraction } from './pending-interaction';
import { ProviderDomainsService } from './provider-domains.service';

/** What is known of the attempt so far, for audit and metrics. */
export interface CallbackAttempt {
  provider?: ProviderView;
  state?: StoredRequest;
}

/** The stored request of this browser that the callback answers, and the identity that the provider returned. */
export interface VerifiedCallback {
  readonly state: StoredRequest;
  readonly identity: ExternalIdentity;
}

const PATIENCE_MS = 8_000;
const MODES: Readonly<Record<string, StoredRequest['mode']>> = {
  true: 'bind',
  '1': 'bind',
  false: 'login',
  '0': 'login',
};

/** Verifies the callback of a provider against the stored request, and trades its code for the user's profile. */
@Injectable()
export class CallbackVerificationService {
  constructor(
    private readonly identityProviders: IdentityProviderRegistry,
    private readonly states: AuthorizationRequestStore,
    private readonly cookies: FlowCookiesService,
    private readonly users: UserAdmissionService,
    private readonly domains: ProviderDomainsService,
  ) {}

  /**
   * Notes in `attempt` what is known of it, also when it fails. Errors: `state_invalid`, `provider_denied`,
   * `provider_failed`, `email_domain_not_allowed`, and those of `requireLinkingUser`.
   */
  async verify(
    name: string,
    input: CallbackDto,
    { request, attempt }: { request: FastifyRequest; attempt: CallbackAttempt },
  ): Promise<VerifiedCallback> {
    // Consumes the state first, so that it cannot be used twice, whatever the outcome.
    const state = await this.takeState(input, request, attempt);
    const usable = await this.identityProviders.find(name);
    if (usable) attempt.provider = usable.provider;
    if (!usable || !state) throw oauthErrors.stateInvalid();
    const { provider } = usable;
    if (!matches(state, provider, input)) throw oauthErrors.stateInvalid();
    // Only the provider that was asked may deny. Its text may come from an attacker, so it is neither stored nor shown.
    if (input.error !== undefined) throw authorizationServerErrors.providerDenied();
    if (state.mode === 'bind') await this.requireLinkingUser(state, request);
    const profile = await this.trade(usable, state, input);
    await this.requireUnchanged(provider);
    const identity = { provider, profile };
    if (!(await this.domains.allow(identity))) throw oauthErrors.emailDomainNotAllowed();
    return { state, identity };
  }

  /**
   * The session that requested the linking must still be logged in. Errors: `state_invalid`, and those of a user who
   * must first change the password or set up a second factor.
   */
  async requireLinkingUser({ userId, sessionId }: StoredRequest, request: FastifyRequest): Promise<Caller> {
    try {
      const caller = await this.users.require(request);
      if (caller.userId === userId && caller.sessionId === sessionId) return caller;
    } catch (error) {
      if (!(error instanceof ProblemError && error.status === 401)) throw error;
      throw oauthErrors.stateInvalid({ cause: error });
    }
    throw oauthErrors.stateInvalid();
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
}

function matches(state: StoredRequest, provider: ProviderView, { bind_mode, BindMode }: CallbackDto): boolean {
  const isSameProvider = state.providerId === provider.id && state.providerVersion === provider.version;
  // The stored mode decides. A mode in the callback must only match it.
  const modes = [bind_mode, BindMode].filter((mode): mode is string => mode !== undefined && mode !== '');
  return isSameProvider && modes.every((mode) => MODES[mode.toLowerCase()] === state.mode);
}
