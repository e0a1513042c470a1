import { Injectable } from '@nestjs/common';
import {
  mfaErrors,
  MfaSession,
  MfaSessionCredentials,
  MfaSessionsService,
  SecondFactorClaim,
  SecondFactorMethod,
  SecondFactorProof,
  SecondFactorsService,
  TrustCookie,
  TrustedDevicesService,
} from '../../mfa';
import { RequestContext } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { UserView, UserCache } from '../../users';
import { AuthenticationService } from './authentication.service';
import { AttemptOrigin } from './brute-force-guard.service';
import { isLoggedIn, LoggedIn, VerifiedLogin } from './login-completion.service';
import { LoginMethodRegistry } from './login-method.registry';
import { loginErrors } from './login.errors';
import { PostLoginAction } from './post-login-action.registry';
import { loginActs } from './login.acts';

export interface MfaChallengeAnswer extends SecondFactorClaim {
  readonly session: MfaSessionCredentials;
  /** Whether this browser needs no second factor in future. */
  readonly trustDevice: boolean;
}

interface Step {
  readonly answer: MfaChallengeAnswer;
  readonly session: MfaSession;
  readonly user: UserView;
  readonly origin: AttemptOrigin;
}

/** The second step of a login, after any first factor. */
@Injectable()
export class MfaChallengeService {
  constructor(
    private readonly authentication: AuthenticationService,
    private readonly sessions: MfaSessionsService,
    private readonly factors: SecondFactorsService,
    private readonly trusted: TrustedDevicesService,
    private readonly methods: LoginMethodRegistry,
    private readonly users: UserCache,
  ) {}

  /** The second factors of the user. Throws `temp_token_invalid`. */
  async methodsOf(credentials: MfaSessionCredentials): Promise<SecondFactorMethod[]> {
    return this.factors.methodsOf((await this.sessions.find(credentials)).userId);
  }

  /**
   * The WebAuthn options for one of the user's passkeys. Throws `temp_token_invalid`, or `not_found` without passkeys.
   */
  async passkeyOptions(credentials: MfaSessionCredentials, { origin }: RequestContext): Promise<object> {
    const { id, userId } = await this.sessions.find(credentials);
    if (!(await this.factors.methodsOf(userId)).includes('passkey')) throw platformErrors.notFound();
    return this.factors.passkeyOptions({ ceremony: 'second', boundTo: id }, userId, origin);
  }

  /**
   * Verifies the second factor and opens the session. Throws `temp_token_invalid`, `code_invalid`
   * (`invalid_credentials` for a passkey), `account_locked`, `rate_limited`, `user_disabled` or
   * `login_method_disabled`.
   */
  async complete(
    answer: MfaChallengeAnswer,
    origin: AttemptOrigin,
    actions: readonly PostLoginAction[] = [],
  ): Promise<LoggedIn> {
    const session = await this.sessions.attempt(answer.session);
    return this.authentication.countOutcome(session.loginMethod, async () => {
      const user = await this.users.get(session.userId);
      if (!user) throw mfaErrors.tempTokenInvalid();
      if (!(await this.methods.isEnabled(session.loginMethod))) throw loginErrors.loginMethodDisabled();
      return this.authenticate({ answer, session, user, origin }, actions);
    });
  }

  private async authenticate(step: Step, actions: readonly PostLoginAction[]): Promise<LoggedIn> {
    const { answer, session, user, origin } = step;
    const createError = this.factors.errorOf(answer);
    const secret = {
      user,
      key: user.id,
      createError,
      act: loginActs.login,
      after: { method: session.loginMethod, second_factor: answer.method },
      isSecondFactor: true,
    };
    let trust: TrustCookie | undefined;
    const result = await this.authentication.authenticate(secret, origin, async () => {
      const ceremony = { ceremony: 'second', boundTo: session.id, origin: origin.request.origin } as const;
      const proof = await this.factors.verify(user, answer, ceremony);
      if (!proof) throw createError();
      const login = this.verifiedLogin(step, proof, (cookie) => (trust = cookie));
      return { ...login, actions: [...this.keptActions(session), ...actions] };
    });
    if (!isLoggedIn(result)) throw new Error('A second factor was required after the second factor');
    return { ...result, mfa: { trust } };
  }

  private verifiedLogin(
    { answer, session, origin }: Step,
    proof: SecondFactorProof,
    keepTrust: (trust: TrustCookie | undefined) => void,
  ): VerifiedLogin {
    return {
      userId: session.userId,
      method: session.loginMethod,
      remember: session.remember,
      createError: mfaErrors.tempTokenInvalid,
      amr: [...session.amr, ...proof.amr],
      isMultiFactor: true,
      consume: async (current) => {
        // A password change invalidates the first factor.
        if (current.passwordVersion !== session.passwordVersion) throw mfaErrors.tempTokenInvalid();
        await this.sessions.consume(session);
        await proof.consume();
        if (answer.trustDevice) {
          keepTrust(await this.trusted.trust(origin.cookies.trustTokens, current, origin.request));
        }
      },
    };
  }

  private keptActions(session: MfaSession): PostLoginAction[] {
    const kept = this.sessions.deferredOf(session);
    return kept === undefined ? [] : [JSON.parse(kept) as PostLoginAction];
  }
}
