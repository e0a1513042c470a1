import { Injectable } from '@nestjs/common';
import {
  mfaErrors,
  PendingClaim,
  PendingLogin,
  PendingLogins,
  SecondFactorClaim,
  SecondFactorMethod,
  SecondFactorProof,
  SecondFactors,
  TrustCookie,
  TrustedDevices,
} from '../mfa';
import { RequestContext } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { Metrics } from '../platform/metrics';
import { toProblem } from '../platform/problems';
import { LoginMethods } from '../session';
import { KnownUser, UserState } from '../users';
import { authErrors } from './auth.errors';
import { Deferred, DeferredActs } from './deferred-acts';
import { Arrival, Entrance, isLoggedIn, LoggedIn } from './entrance';
import { Guesses } from './guesses';
import { AlsoAtLogin, BrowserTraces } from './login.service';

export interface SecondStepClaim extends SecondFactorClaim {
  readonly pending: PendingClaim;
  /** The browser is not to be asked again. */
  readonly trustDevice: boolean;
}

export interface SecondStepDone extends LoggedIn {
  readonly trust: TrustCookie | undefined;
}

interface Attempt {
  readonly claim: SecondStepClaim;
  readonly login: PendingLogin;
  readonly user: KnownUser;
  readonly request: RequestContext;
  readonly browser: BrowserTraces;
  readonly also: AlsoAtLogin | undefined;
}

/** The second step of a login, whatever the first was. */
@Injectable()
export class SecondStep {
  constructor(
    private readonly pending: PendingLogins,
    private readonly factors: SecondFactors,
    private readonly guesses: Guesses,
    private readonly trusted: TrustedDevices,
    private readonly entrance: Entrance,
    private readonly deferred: DeferredActs,
    private readonly methods: LoginMethods,
    private readonly users: UserState,
    private readonly metrics: Metrics,
  ) {}

  /** What the user can prove. Errors: `temp_token_invalid`. */
  async methodsOf(claim: PendingClaim): Promise<SecondFactorMethod[]> {
    return this.factors.methodsOf((await this.pending.find(claim)).userId);
  }

  /** What a browser needs for one of the user's passkeys. Errors: `temp_token_invalid`, `not_found` without any. */
  async passkeyOptions(claim: PendingClaim, { origin }: RequestContext): Promise<object> {
    const { id, userId } = await this.pending.find(claim);
    if (!(await this.factors.methodsOf(userId)).includes('passkey')) throw platformErrors.notFound();
    return this.factors.passkeyOptions({ ceremony: 'second', boundTo: id }, userId, origin);
  }

  /**
   * Errors: `temp_token_invalid`, `code_invalid` or, of a passkey, `invalid_credentials`, `account_locked`,
   * `rate_limited`, `user_disabled`, `login_method_disabled`.
   */
  async finish(
    claim: SecondStepClaim,
    request: RequestContext,
    browser: BrowserTraces,
    also?: AlsoAtLogin,
  ): Promise<SecondStepDone> {
    const login = await this.pending.attempt(claim.pending);
    try {
      const user = await this.users.find(login.userId);
      if (!user) throw mfaErrors.tempTokenInvalid();
      if (!(await this.methods.isEnabled(login.loginMethod))) throw authErrors.loginMethodDisabled();
      const done = await this.judge({ claim, login, user, request, browser, also });
      this.metrics.countLogin(login.loginMethod, 'success');
      return done;
    } catch (error) {
      this.metrics.countLogin(login.loginMethod, toProblem(error).code);
      throw error;
    }
  }

  private judge(attempt: Attempt): Promise<SecondStepDone> {
    const { claim, login, user, request, browser } = attempt;
    const occasion = { ceremony: 'second', boundTo: login.id, origin: request.origin } as const;
    const refusal = this.factors.refusalOf(claim);
    const secret = {
      user,
      name: user.username,
      refusal,
      action: 'login',
      after: { method: login.loginMethod, second_factor: claim.method },
      isSecondFactor: true,
    };
    return this.guesses.judge(secret, { request, recognise: browser.recognise }, async () => {
      const proof = await this.factors.verify(user, claim, occasion);
      if (!proof) throw refusal();
      return this.enter(attempt, proof);
    });
  }

  private async enter(attempt: Attempt, proof: SecondFactorProof): Promise<SecondStepDone> {
    const { claim, login, user, request, browser, also } = attempt;
    let trust: TrustCookie | undefined;
    const arrival: Arrival = {
      userId: login.userId,
      method: login.loginMethod,
      remember: login.remember,
      refusal: mfaErrors.tempTokenInvalid,
      amr: [...login.amr, ...proof.amr],
      isMultiFactor: true,
      isNewDevice: browser.recognise(user) === undefined,
      spend: async (current) => {
        // What was proved first may hold no longer.
        if (current.passwordVersion !== login.passwordVersion) throw mfaErrors.tempTokenInvalid();
        await this.pending.spend(login);
        await proof.spend();
        if (claim.trustDevice) trust = await this.trusted.trust(browser.trustCookies, current, request);
      },
      also: async (current) => {
        const deferred = this.pending.deferredOf(login);
        if (deferred !== undefined) await this.deferred.perform(current, JSON.parse(deferred) as Deferred);
        await also?.(current);
      },
    };
    const entered = await this.entrance.enter(arrival, request);
    if (!isLoggedIn(entered)) throw new Error('A second factor was asked for after the second factor');
    return { ...entered, trust };
  }
}
