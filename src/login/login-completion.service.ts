import { Injectable } from '@nestjs/common';
import { AuditService, AuditEntry } from '../audit';
import { MfaSessionsService, MfaSessionToken, SecondFactorMethod, SecondFactorsService, TrustCookie } from '../mfa';
import { Transactions } from '../platform/database';
import { ErrorFactory } from '../platform/errors';
import { SessionWithDbTime, SessionsService } from '../session';
import {
  AccountEventsService,
  UserView,
  userView,
  User,
  UserRepository,
  usersErrors,
  UserCache,
  userTarget,
} from '../users';
import { AttemptOrigin } from './brute-force-guard.service';
import { PostLoginAction, PostLoginActionRegistry } from './post-login-action.registry';

export interface LoggedIn {
  readonly user: UserView;
  readonly session: SessionWithDbTime;
  /** Set by a login with a second factor, whose MFA session has ended. `trust` makes the browser a trusted device. */
  readonly mfa?: { readonly trust: TrustCookie | undefined };
}

/** The first factor was correct and the second is required. There is no session yet. */
export interface MfaRequired {
  readonly pending: MfaSessionToken;
  /** The second factors of the user. */
  readonly methods: readonly SecondFactorMethod[];
}

export type LoginResult = LoggedIn | MfaRequired;

export const isLoggedIn = (result: LoginResult): result is LoggedIn => 'session' in result;

/** Verified credentials. */
export interface VerifiedLogin {
  readonly userId: string;
  /** Type of the login method, or `oauth:<provider>`. */
  readonly method: string;
  /** false means that the cookies end with the browser. */
  readonly remember: boolean;
  /** The error when the user no longer exists. */
  readonly refusal: ErrorFactory;
  /**
   * Consumes the proof (a code, a ticket), even when a second factor is required. Gets the locked user and may throw.
   */
  readonly consume?: (user: UserView) => Promise<void>;
  /** Run in the transaction that opens the session, so after the second factor. */
  readonly actions?: readonly PostLoginAction[];
  /** Authentication Method References (RFC 8176). */
  readonly amr?: readonly string[];
  /** Whether two factors were verified, so that no second one is required. */
  readonly isMultiFactor?: boolean;
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
    private readonly secondFactors: SecondFactorsService,
    private readonly mfaSessions: MfaSessionsService,
    private readonly actions: PostLoginActionRegistry,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
    private readonly events: AccountEventsService,
  ) {}

  /** Joins the caller's transaction. Throws the login's error, `user_disabled` or the errors of its actions. */
  complete(login: VerifiedLogin, origin: AttemptOrigin): Promise<LoginResult> {
    return this.transactions.run(async () => {
      const { userId, isMultiFactor = false, refusal } = login;
      const [user, isMfaRequired] = await Promise.all([
        this.users.lock(userId),
        isMultiFactor ? false : this.secondFactors.isMfaRequired(userId),
      ]);
      if (!user) throw refusal();
      if (user.status !== 'active') throw this.disabledUserError(user, 'login', { method: login.method });
      await login.consume?.(userView(user));
      if (isMfaRequired && !(await this.secondFactors.isTrusted(user, origin.cookies.trustTokens))) {
        return this.requireMfa(login, user);
      }
      for (const action of login.actions ?? []) await this.actions.run(userView(user), action, refusal);
      return this.openSession(login, user, origin);
    });
  }

  /**
   * The error for correct credentials of a disabled account. Audited after the rollback, because the owner is locked
   * out.
   */
  disabledUserError(user: User, action: string, after: AuditEntry['after']): Error {
    const error = usersErrors.userDisabled();
    this.transactions.afterRollback(() =>
      this.audit.recordFailure({ action, target: userTarget(user), after: { ...after, code: error.code } }),
    );
    return error;
  }

  private async requireMfa({ method, remember, amr = [], actions }: VerifiedLogin, user: User): Promise<MfaRequired> {
    const kept = actions?.find(({ isKeptForMfa }) => isKeptForMfa);
    const pending = await this.mfaSessions.begin({
      user,
      method,
      amr,
      remember,
      ...(kept && { deferred: JSON.stringify(kept) }),
    });
    await this.audit.record({
      action: 'login.second_factor_due',
      actor: { id: user.id, username: user.username },
      target: userTarget(user),
      after: { method },
    });
    return { pending, methods: await this.secondFactors.methodsOf(user.id) };
  }

  private async openSession(login: VerifiedLogin, user: User, { request, cookies }: AttemptOrigin): Promise<LoggedIn> {
    const { userId, method, remember, amr = [], isMultiFactor = false } = login;
    const session = await this.sessions.open(
      { userId, method, remember, amr: amrOf(amr, isMultiFactor), hasSecondFactor: isMultiFactor },
      request,
    );
    await this.audit.record({
      action: 'login',
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
