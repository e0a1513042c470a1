import { Injectable } from '@nestjs/common';
import { Act, AuditService } from '../../audit';
import { TrustCookie } from '../../mfa';
import { Transactions } from '../../platform/database';
import { ErrorFactory } from '../../platform/errors';
import { SessionWithDbTime, SessionsService } from '../../session';
import {
  AccountEventsService,
  AttemptState,
  UserView,
  userView,
  User,
  UserRepository,
  usersErrors,
  UserCache,
  userTarget,
} from '../../users';
import { AttemptOrigin } from './brute-force-guard.service';
import { FirstFactorLogin, MfaRequired, MfaRequirementService } from './mfa-requirement.service';
import { PostLoginActionRegistry } from './post-login-action.registry';
import { loginActs } from './login.acts';

export interface LoggedIn {
  readonly user: UserView;
  readonly session: SessionWithDbTime;
  /** Set by a login with a second factor, whose MFA session has ended. `trust` makes the browser a trusted device. */
  readonly mfa?: { readonly trust: TrustCookie | undefined };
}

export type LoginResult = LoggedIn | MfaRequired;

export const isLoggedIn = (result: LoginResult): result is LoggedIn => 'session' in result;

/** Verified credentials. */
export interface VerifiedLogin extends FirstFactorLogin {
  /** The error when the user no longer exists. */
  readonly createError: ErrorFactory;
  /**
   * Consumes the proof (a code, a ticket), even when a second factor is required. Gets the locked user and may throw.
   */
  readonly consume?: (user: UserView) => Promise<void>;
}

/**
 * Turns verified credentials into a session or an MFA session, with the same checks and audit for every login method.
 */
@Injectable()
export class LoginCompletionService {
  constructor(
    private readonly users: UserRepository,
    private readonly userCache: UserCache,
    private readonly sessions: SessionsService,
    private readonly mfa: MfaRequirementService,
    private readonly actions: PostLoginActionRegistry,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
    private readonly events: AccountEventsService,
  ) {}

  /** Joins the caller's transaction. Throws the login's error, `user_disabled` or the errors of its actions. */
  complete(login: VerifiedLogin, origin: AttemptOrigin): Promise<LoginResult> {
    return this.transactions.run(async () => {
      const { userId, createError } = login;
      const [user, isMfaRequired] = await Promise.all([this.users.lock(userId), this.mfa.isRequired(login)]);
      if (!user) throw createError();
      if (user.status !== 'active') throw this.disabledUserError(user, loginActs.login, { method: login.method });
      await login.consume?.(userView(user));
      const pending = isMfaRequired && (await this.mfa.begin(login, user, origin.cookies.trustTokens));
      if (pending) return pending;
      let { method } = login;
      for (const action of login.actions ?? []) {
        method = (await this.actions.run(userView(user), action, { method, createError })) ?? method;
      }
      return this.openSession({ ...login, method }, user, origin);
    });
  }

  /**
   * The error for correct credentials of a disabled account. Audited after the rollback, because the owner is locked
   * out.
   */
  disabledUserError<S extends AttemptState>(user: User, act: Act<{ after?: S }>, after: NoInfer<S>): Error {
    const error = usersErrors.userDisabled();
    this.transactions.afterRollback(() =>
      this.audit.recordFailure(act, { target: userTarget(user), after: { ...after, code: error.code } }),
    );
    return error;
  }

  private async openSession(login: VerifiedLogin, user: User, { request, cookies }: AttemptOrigin): Promise<LoggedIn> {
    const { userId, method, remember, amr = [], isMultiFactor = false } = login;
    const session = await this.sessions.open(
      { userId, method, remember, amr: amrOf(amr, isMultiFactor), hasSecondFactor: isMultiFactor },
      request,
    );
    await this.audit.record(loginActs.login, {
      actor: { id: userId, username: user.username },
      sessionId: session.id,
      target: userTarget(user),
      after: { method, ...(isMultiFactor && { amr: session.amr }) },
    });
    await this.userCache.invalidate(userId);
    // The first login of an account needs no notice.
    if (user.lastLoginAt && cookies.recognize(user) === undefined) {
      const { ip, userAgent } = request;
      await this.events.announce({ type: 'new_device', user: userView(user), ip, userAgent });
    }
    return { user: { ...userView(user), lastLoginAt: session.createdAt }, session };
  }
}

/** RFC 8176 §2: `mfa` is listed in addition to the methods used. */
function amrOf(amr: readonly string[], isMultiFactor: boolean): string[] {
  return [...new Set([...amr, ...(isMultiFactor ? ['mfa'] : [])])];
}
