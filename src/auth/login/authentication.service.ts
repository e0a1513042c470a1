import { Injectable } from '@nestjs/common';
import { platformErrors } from '../../platform/errors';
import { checkInput } from '../../platform/http/input';
import { MetricsService } from '../../platform/metrics';
import { toProblem } from '../../platform/http/problems';
import { isJsonObject } from '../../platform/util';
import { AttemptOrigin, BruteForceGuardService, ProtectedSecret } from './brute-force-guard.service';
import { LoginDto } from './dto/login.dto';
import { isLoggedIn, LoginCompletionService, LoginResult, VerifiedLogin } from './login-completion.service';
import { LoginBrowser, LoginMethod, LoginSubject } from './login-method';
import { LoginMethodRegistry } from './login-method.registry';
import { loginErrors } from './login.errors';
import { PostLoginAction } from './post-login-action.registry';
import { loginActs } from './login.acts';
import { logins } from './login.metrics';

/**
 * The single path of every login (password, code, passkey, second factor, third party): attempt, verify, second factor,
 * session.
 */
@Injectable()
export class AuthenticationService {
  constructor(
    private readonly methods: LoginMethodRegistry,
    private readonly guard: BruteForceGuardService,
    private readonly completion: LoginCompletionService,
    private readonly metrics: MetricsService,
  ) {}

  /**
   * Logs in with the method named by `type` in the body. Throws the method's error, `login_method_disabled`,
   * `user_disabled` (only after correct credentials), `account_locked`, `rate_limited` or `validation_failed`.
   */
  async login(body: unknown, origin: AttemptOrigin, actions: readonly PostLoginAction[] = []): Promise<LoginResult> {
    const method = this.methodOf(body);
    return this.countOutcome(method.type, async () => {
      if (!(await this.methods.isEnabled(method.type)) || !(await method.isConfigured())) {
        throw loginErrors.loginMethodDisabled();
      }
      const credentials = checkInput(method.credentials, body as Record<string, unknown>) as LoginDto;
      const { passkeySecrets: secrets, codeSecrets } = origin.cookies;
      const browser = { secrets, codeSecrets };
      const subject = await method.findSubject(credentials, browser);
      const { user, key, limits } = subject;
      const { createError, type } = method;
      const secret = { user, key, limits, createError, act: loginActs.login, after: { method: type } };
      return this.authenticate(secret, origin, async () => ({
        ...(await this.verify(method, credentials, subject, browser)),
        actions,
      }));
    });
  }

  /**
   * Counts an attempt, verifies and completes the login. Throws the errors of `verify` and of the completion,
   * `account_locked` or `rate_limited`.
   */
  authenticate(
    secret: ProtectedSecret,
    origin: AttemptOrigin,
    verify: () => Promise<VerifiedLogin>,
  ): Promise<LoginResult> {
    return this.guard.protect(secret, origin, async () => this.completion.complete(await verify(), origin));
  }

  /** Counts the outcome of a login under the method of its first factor. */
  async countOutcome<T extends LoginResult>(method: string, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.metrics.count(logins, { method, outcome: isLoggedIn(result) ? 'success' : 'second_factor_due' });
      return result;
    } catch (error) {
      this.metrics.count(logins, { method, outcome: toProblem(error).code });
      throw error;
    }
  }

  private methodOf(body: unknown): LoginMethod {
    if (!isJsonObject(body)) throw platformErrors.validationFailed({ fields: [{ field: '', code: 'type_object' }] });
    const { type } = body;
    const method = typeof type === 'string' ? this.methods.find(type) : undefined;
    if (method) return method;
    const options = this.methods.all().map((known) => known.type);
    const problem =
      type === undefined ? { code: 'required' } : { code: 'one_of', params: { options: options.join(', ') } };
    throw platformErrors.validationFailed({ fields: [{ field: 'type', ...problem }] });
  }

  private async verify(
    method: LoginMethod,
    credentials: LoginDto,
    subject: LoginSubject,
    browser: LoginBrowser,
  ): Promise<VerifiedLogin> {
    const { user } = subject;
    const proof = await method.verify(credentials, user, subject, browser);
    if (!proof || !user) throw method.createError();
    return {
      userId: user.id,
      method: method.type,
      remember: credentials.remember ?? true,
      createError: method.createError,
      amr: proof.amr ?? method.amr,
      isMultiFactor: proof.isMultiFactor ?? false,
      consume: async (current) => proof.consume?.(current),
    };
  }
}
