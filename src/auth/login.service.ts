import { Injectable } from '@nestjs/common';
import { Audit } from '../audit';
import { RequestContext } from '../platform/context';
import { Transactions } from '../platform/database';
import { platformErrors, ProblemError } from '../platform/errors';
import { checkInput } from '../platform/input';
import { Log } from '../platform/logging';
import { Metrics } from '../platform/metrics';
import { toProblem } from '../platform/problems';
import {
  DeviceOwner,
  Guess,
  Lockout,
  LoginMethod,
  LoginMethods,
  LoginProof,
  LoginSubject,
  SessionNow,
  Sessions,
} from '../session';
import { KnownUser, knownUser, UserRepository, UserState } from '../users';
import { authErrors } from './auth.errors';
import { LoginDto } from './dto/login.dto';

export interface LoggedIn {
  readonly user: KnownUser;
  readonly session: SessionNow;
}

/** The browser's answer to "do you know this account?": its device id, if it does. Asked for nobody, too: it takes as long. */
export type RecogniseDevice = (owner: DeviceOwner | undefined) => string | undefined;

interface Attempt {
  readonly method: LoginMethod;
  readonly credentials: LoginDto;
  readonly subject: LoginSubject;
  readonly request: RequestContext;
}

/** The one way in: whatever the method, the same lockout, the same refusals, the same session and audit. */
@Injectable()
export class LoginService {
  constructor(
    private readonly methods: LoginMethods,
    private readonly lockout: Lockout,
    private readonly users: UserRepository,
    private readonly userState: UserState,
    private readonly sessions: Sessions,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  /**
   * Errors: the method's refusal, `login_method_disabled`, `user_disabled` (only after right credentials),
   * `account_locked`, `rate_limited`, `validation_failed`.
   */
  async login(body: Record<string, unknown>, request: RequestContext, recognise: RecogniseDevice): Promise<LoggedIn> {
    const method = this.methodOf(body);
    try {
      const loggedIn = await this.attempt(method, body, request, recognise);
      this.metrics.countLogin(method.type, 'success');
      return loggedIn;
    } catch (error) {
      this.metrics.countLogin(method.type, toProblem(error).code);
      throw error;
    }
  }

  private async attempt(
    method: LoginMethod,
    body: Record<string, unknown>,
    request: RequestContext,
    recognise: RecogniseDevice,
  ): Promise<LoggedIn> {
    if (!(await this.methods.isEnabled(method.type))) throw authErrors.loginMethodDisabled();
    const credentials = (await checkInput(method.credentials, body)) as LoginDto;
    const subject = await method.findSubject(credentials);
    const device = recognise(subject.user);
    const guess = await this.lockout.take({
      subject: subject.key,
      address: request.limitKey,
      ...(device && { device }),
    });
    return this.judge({ method, credentials, subject, request }, guess);
  }

  private methodOf({ type }: Record<string, unknown>): LoginMethod {
    const method = typeof type === 'string' ? this.methods.find(type) : undefined;
    if (method) return method;
    const options = this.methods.all().map((known) => known.type);
    const problem =
      type === undefined ? { code: 'required' } : { code: 'one_of', params: { options: options.join(', ') } };
    throw platformErrors.validationFailed({ fields: [{ field: 'type', ...problem }] });
  }

  private async judge(attempt: Attempt, guess: Guess): Promise<LoggedIn> {
    try {
      const proof = await attempt.method.verify(attempt.credentials, attempt.subject.user);
      if (!proof || !attempt.subject.user) throw attempt.method.refusal();
      const loggedIn = await this.open(attempt, proof);
      await guess.succeeded();
      await this.after(proof, loggedIn.user.id);
      return loggedIn;
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
      ...(subject.user && { target: { type: 'user', id: subject.user.id, label: subject.user.username } }),
      after: { method: method.type, ...(locked && { locked }) },
    });
  }

  private open({ method, credentials, subject, request }: Attempt, proof: LoginProof): Promise<LoggedIn> {
    const { user } = subject;
    if (!user) throw method.refusal();
    return this.transactions.run(async () => {
      const current = await this.users.lock(user.id);
      if (!current) throw method.refusal();
      if (current.status !== 'active') throw authErrors.userDisabled();
      await proof.spend?.();
      await this.users.touchLastLogin(user.id);
      const login = { userId: user.id, method: method.type, remember: credentials.remember ?? true };
      const session = await this.sessions.open(login, request);
      await this.audit.record({
        action: 'login',
        actor: { id: user.id, username: current.username },
        sessionId: session.id,
        target: { type: 'user', id: user.id, label: current.username },
        after: { method: method.type },
      });
      await this.userState.changed(user.id);
      return { user: { ...knownUser(current), lastLoginAt: session.createdAt }, session };
    });
  }

  private async after(proof: LoginProof, userId: string): Promise<void> {
    try {
      await proof.afterwards?.();
    } catch (error) {
      this.log.warn('What follows a login failed; the login stands', { user_id: userId, err: error });
    }
  }
}
