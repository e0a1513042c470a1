import { Injectable } from '@nestjs/common';
import { Audit } from '../audit';
import { RequestContext } from '../platform/context';
import { platformErrors, ProblemError } from '../platform/errors';
import { checkInput } from '../platform/input';
import { Metrics } from '../platform/metrics';
import { toProblem } from '../platform/problems';
import { DeviceOwner, Guess, Lockout, LoginMethod, LoginMethods, LoginProof, LoginSubject } from '../session';
import { KnownUser, userTarget } from '../users';
import { authErrors } from './auth.errors';
import { LoginDto } from './dto/login.dto';
import { Arrival, Entered, Entrance, isLoggedIn } from './entrance';

/** The browser's answer to "do you know this account?": its device id, if it does. Asked for nobody, too: it takes as long. */
export type RecogniseDevice = (owner: DeviceOwner | undefined) => string | undefined;

/** What the browser brings beside the credentials. */
export interface BrowserTraces {
  readonly recognise: RecogniseDevice;
  /** By which it shows that a user trusts it. */
  readonly trustCookies: readonly string[];
}

/** What is done for the user in the transaction that opens the session; what it throws refuses the login. */
export type AlsoAtLogin = (user: KnownUser) => Promise<void>;

interface Attempt {
  readonly method: LoginMethod;
  readonly credentials: LoginDto;
  readonly subject: LoginSubject;
  readonly request: RequestContext;
  readonly browser: BrowserTraces;
  readonly also: AlsoAtLogin | undefined;
  readonly isNewDevice: boolean;
}

/** The one way in: whatever the method, the same lockout, the same refusals, the same session and audit. */
@Injectable()
export class LoginService {
  constructor(
    private readonly methods: LoginMethods,
    private readonly lockout: Lockout,
    private readonly entrance: Entrance,
    private readonly audit: Audit,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Errors: the method's refusal, `login_method_disabled`, `user_disabled` (only after right credentials),
   * `account_locked`, `rate_limited`, `validation_failed`.
   */
  async login(
    body: Record<string, unknown>,
    request: RequestContext,
    browser: BrowserTraces,
    also?: AlsoAtLogin,
  ): Promise<Entered> {
    const method = this.methodOf(body);
    try {
      const entered = await this.attempt(method, body, { request, browser, also });
      this.metrics.countLogin(method.type, isLoggedIn(entered) ? 'success' : 'second_factor_due');
      return entered;
    } catch (error) {
      this.metrics.countLogin(method.type, toProblem(error).code);
      throw error;
    }
  }

  private async attempt(
    method: LoginMethod,
    body: Record<string, unknown>,
    { request, browser, also }: Pick<Attempt, 'request' | 'browser' | 'also'>,
  ): Promise<Entered> {
    if (!(await this.methods.isEnabled(method.type)) || !(await method.isConfigured())) {
      throw authErrors.loginMethodDisabled();
    }
    const credentials = checkInput(method.credentials, body) as LoginDto;
    const subject = await method.findSubject(credentials);
    const device = browser.recognise(subject.user);
    const guess = await this.lockout.take({
      subject: subject.key,
      address: request.limitKey,
      ...(device && { device }),
    });
    const isNewDevice = device === undefined;
    return this.judge({ method, credentials, subject, request, browser, also, isNewDevice }, guess);
  }

  private methodOf({ type }: Record<string, unknown>): LoginMethod {
    const method = typeof type === 'string' ? this.methods.find(type) : undefined;
    if (method) return method;
    const options = this.methods.all().map((known) => known.type);
    const problem =
      type === undefined ? { code: 'required' } : { code: 'one_of', params: { options: options.join(', ') } };
    throw platformErrors.validationFailed({ fields: [{ field: 'type', ...problem }] });
  }

  private async judge(attempt: Attempt, guess: Guess): Promise<Entered> {
    try {
      const { method, credentials, subject } = attempt;
      const proof = await method.verify(credentials, subject.user, subject);
      if (!proof || !subject.user) throw method.refusal();
      const entered = await this.open(attempt, proof);
      await guess.succeeded();
      return entered;
    } catch (error) {
      await this.settle(attempt, guess, error);
      throw error;
    }
  }

  /** Only a judgement moves the counter; an overload or a database that is away is nobody's guess. */
  private async settle({ method, subject }: Attempt, guess: Guess, error: unknown): Promise<void> {
    const isRefused = error instanceof ProblemError && error.code === method.refusal.code;
    if (!isRefused) {
      await guess.abandoned();
      return;
    }
    const locked = await guess.failed();
    await this.audit.recordFailure({
      action: 'login',
      ...(subject.user && { target: userTarget(subject.user) }),
      after: { method: method.type, ...(locked && { locked }) },
    });
  }

  private open(attempt: Attempt, proof: LoginProof): Promise<Entered> {
    const { method, credentials, subject, request, browser, also, isNewDevice } = attempt;
    if (!subject.user) throw method.refusal();
    const arrival: Arrival = {
      userId: subject.user.id,
      method: method.type,
      remember: credentials.remember ?? true,
      refusal: method.refusal,
      amr: proof.amr ?? method.amr,
      isMultiFactor: proof.isMultiFactor ?? false,
      trustCookies: browser.trustCookies,
      isNewDevice,
      spend: async (user) => proof.spend?.(user),
      ...(also && { also }),
    };
    return this.entrance.enter(arrival, request);
  }
}
