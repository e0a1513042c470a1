import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AuditService } from '../../../audit';
import { AttemptOrigin, LoginResult, logins } from '../../../auth/login';
import { contextOf } from '../../../platform/context';
import { Transactions } from '../../../platform/database';
import { ProblemError } from '../../../platform/errors';
import { RateLimiterService } from '../../../platform/http';
import { MetricsService } from '../../../platform/metrics';
import { toProblem } from '../../../platform/http/problems';
import { IdentitiesService } from '../identities';
import { ExternalProfile, ProviderView } from '../providers';
import { AccountLinkTokensService } from './account-link-tokens.service';
import { CallbackDto } from './dto/callback.dto';
import { FLOW_LIMIT } from './login-start.service';
import { CallbackAttempt, CallbackVerificationService, VerifiedCallback } from './callback-verification.service';
import { FederatedLoginService } from './federated-login.service';
import { thirdPartyLoginActs } from '../third-party-login.acts';

export type CallbackOutcome =
  | { readonly status: 'logged_in'; readonly result: LoginResult; readonly returnTo: string }
  | { readonly status: 'bound'; readonly returnTo: string }
  | { readonly status: 'bind_required'; readonly token: string; readonly profile: ExternalProfile };

/** Completes a login at a provider: verifies the callback, then logs in, links, or asks for an account. */
@Injectable()
export class CallbackService {
  constructor(
    private readonly verification: CallbackVerificationService,
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
      const verified = await this.verification.verify(name, input, { request, attempt });
      const outcome = await (verified.state.mode === 'bind'
        ? this.bind(verified, request)
        : this.logIn(verified, origin));
      this.count(attempt, outcome.status === 'logged_in' ? 'success' : outcome.status);
      return outcome;
    } catch (error) {
      this.count(attempt, toProblem(error).code);
      await this.recordFailure(error, attempt);
      throw error;
    }
  }

  /** Requires the session again, because it may have ended since the callback started. */
  private async bind({ identity, state }: VerifiedCallback, request: FastifyRequest): Promise<CallbackOutcome> {
    await this.identities.bind(await this.verification.requireLinkingUser(state, request), identity);
    return { status: 'bound', returnTo: state.returnTo };
  }

  private async logIn({ identity, state }: VerifiedCallback, origin: AttemptOrigin): Promise<CallbackOutcome> {
    const result = await this.logins.logIn(identity, origin);
    if (result) return { status: 'logged_in', result, returnTo: state.returnTo };
    const { provider } = identity;
    const issued = await this.transactions.run(async () => {
      await this.audit.record(thirdPartyLoginActs.requireLink, { target: targetOf(provider) });
      return this.linkTokens.issue(identity, state.browser);
    });
    return { status: 'bind_required', ...issued };
  }

  private count({ provider }: CallbackAttempt, outcome: string): void {
    this.metrics.count(logins, { method: provider ? `oauth:${provider.name}` : 'oauth', outcome });
  }

  private async recordFailure(error: unknown, { provider, state }: CallbackAttempt): Promise<void> {
    // Defects and database outages are not failed logins, and could not be recorded either.
    if (!(error instanceof ProblemError) || [500, 503].includes(error.status)) return;
    await this.audit.recordFailure(thirdPartyLoginActs.callback, {
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
