import { Injectable } from '@nestjs/common';
import { Audit } from '../audit';
import { PendingLogins, PendingToken, SecondFactorMethod, SecondFactors } from '../mfa';
import { RequestContext } from '../platform/context';
import { Transactions } from '../platform/database';
import { ErrorFactory } from '../platform/errors';
import { SessionNow, Sessions } from '../session';
import { AccountEvents, KnownUser, knownUser, User, UserRepository, UserState, userTarget } from '../users';
import { Deferred } from './deferred-acts';
import { DisabledRefusal } from './disabled-refusal';

export interface LoggedIn {
  readonly user: KnownUser;
  readonly session: SessionNow;
}

/** The first factor was right, and the second is awaited: there is no session yet. */
export interface SecondStepDue {
  readonly pending: PendingToken;
  /** What the user can prove. */
  readonly methods: readonly SecondFactorMethod[];
}

export type Entered = LoggedIn | SecondStepDue;

export const isLoggedIn = (entered: Entered): entered is LoggedIn => 'session' in entered;

/** Somebody who has proven to be the user. */
export interface Arrival {
  readonly userId: string;
  /** Type of the login method, or `oauth:<provider>`. */
  readonly method: string;
  /** false: the cookies end with the browser. */
  readonly remember: boolean;
  /** What is answered when the user is gone meanwhile. */
  readonly refusal: ErrorFactory;
  /** What proved it is spent (a code, a ticket), whether a second factor is due or not. */
  readonly spend?: (user: KnownUser) => Promise<void>;
  /** What is done for the user, in the transaction that opens the session: not before the second factor. */
  readonly also?: (user: KnownUser) => Promise<void>;
  /** The same for where a second factor is due, as `also` ends with the request. */
  readonly deferred?: Deferred;
  /** Authentication Method References (RFC 8176) of what was proved. */
  readonly amr?: readonly string[];
  /** Two factors were proved: no second one is asked for. */
  readonly isMultiFactor?: boolean;
  /** By which the browser shows that the user trusts it. */
  readonly trustCookies?: readonly string[];
  /** The browser never logged in to the account before; left out where nobody looked. */
  readonly isNewDevice?: boolean;
}

/** Where everybody enters, whatever proved who they are: the same refusals and second step, the same session and audit. */
@Injectable()
export class Entrance {
  constructor(
    private readonly users: UserRepository,
    private readonly userState: UserState,
    private readonly sessions: Sessions,
    private readonly secondFactors: SecondFactors,
    private readonly pending: PendingLogins,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
    private readonly disabled: DisabledRefusal,
    private readonly events: AccountEvents,
  ) {}

  /** Joins the caller's transaction. Errors: the arrival's refusal, `user_disabled`. */
  enter(arrival: Arrival, request: RequestContext): Promise<Entered> {
    return this.transactions.run(async () => {
      const { userId, isMultiFactor = false, trustCookies = [] } = arrival;
      const [user, isAsked] = await Promise.all([
        this.users.lock(userId),
        isMultiFactor ? false : this.secondFactors.areAskedOf(userId),
      ]);
      if (!user) throw arrival.refusal();
      if (user.status !== 'active') throw this.disabled.of(user, 'login', { method: arrival.method });
      await arrival.spend?.(knownUser(user));
      if (isAsked && !(await this.secondFactors.isTrusted(user, trustCookies))) return this.ask(arrival, user);
      await arrival.also?.(knownUser(user));
      return this.open(arrival, user, request);
    });
  }

  private async ask({ method, remember, amr = [], deferred }: Arrival, user: User): Promise<SecondStepDue> {
    const kept = deferred && { deferred: JSON.stringify(deferred) };
    const pending = await this.pending.begin({ user, method, amr, remember, ...kept });
    await this.audit.record({
      action: 'login.second_factor_due',
      actor: { id: user.id, username: user.username },
      target: userTarget(user),
      after: { method },
    });
    return { pending, methods: await this.secondFactors.methodsOf(user.id) };
  }

  private async open(arrival: Arrival, user: User, request: RequestContext): Promise<LoggedIn> {
    const { userId, method, remember, amr = [], isMultiFactor = false } = arrival;
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
    await this.userState.changed(userId);
    // Whoever logs in for the first time knows.
    if (arrival.isNewDevice && user.lastLoginAt) await this.tellNewDevice(user, request);
    return { user: { ...knownUser(user), lastLoginAt: session.createdAt }, session };
  }

  private tellNewDevice(user: User, { ip, userAgent }: RequestContext): Promise<void> {
    return this.events.announce({ type: 'new_device', user: knownUser(user), ip, userAgent });
  }
}

/** RFC 8176 §2: `mfa` stands beside the methods that were used. */
function amrOf(amr: readonly string[], isMultiFactor: boolean): string[] {
  return [...new Set([...amr, ...(isMultiFactor ? ['mfa'] : [])])];
}
