import { Injectable } from '@nestjs/common';
import type { DutyBearer } from '../platform/access';
import { Caller } from '../platform/context';
import { DatabaseClock } from '../platform/database';
import { isLanguage } from '../platform/i18n';
import { allOf, andThen, MaybePromise } from '../platform/util';
import { SettingsReader } from '../platform/settings';
import { TermsService, UserView } from '../users';
import { UserAttributesService } from '../users/attributes';
import { ActingPolicyService } from './acting/acting-policy.service';
import { CachedSession } from './store/cached-session';
import { SessionActivityService } from './store/session-activity.service';
import { sessionErrors } from './store/session.errors';
import { recentLoginSeconds } from './store/session.settings';

type OwnDuties = Pick<Caller, 'mustAcceptTerms' | 'mustGiveAttributes'>;

/** Describes the caller of a live session, and notes the activity. */
@Injectable()
export class SessionCallersService {
  constructor(
    private readonly acting: ActingPolicyService,
    private readonly activity: SessionActivityService,
    private readonly terms: TermsService,
    private readonly attributes: UserAttributesService,
    private readonly settings: SettingsReader,
    private readonly clock: DatabaseClock,
  ) {}

  recentSeconds(): MaybePromise<number> {
    return this.settings.get(recentLoginSeconds);
  }

  note(sessionId: string): void {
    this.activity.note(sessionId);
  }

  /** Errors: as `assertActive`. */
  describe(user: UserView | undefined, session: CachedSession, recentSeconds: number): MaybePromise<Caller> {
    return andThen(this.assertActive(user, session), (active) => {
      this.note(session.id);
      const caller = this.callerOf(active, session, recentSeconds);
      return andThen(this.ownDuties(active, session), (duties) => (duties ? { ...caller, ...duties } : caller));
    });
  }

  /** What the duties of the session's user depend on. */
  dutyBearer(user: UserView, session: Pick<CachedSession, 'actor'>): MaybePromise<DutyBearer> {
    const { id: userId, mustChangePassword } = user;
    return andThen(this.ownDuties(user, session), (duties) => ({ userId, mustChangePassword, ...duties }));
  }

  /** What only the user can do, so it does not concern a user who acts as this one. Undefined: nothing. */
  private ownDuties(user: UserView, { actor }: Pick<CachedSession, 'actor'>): MaybePromise<OwnDuties | undefined> {
    if (actor) return undefined;
    const due = allOf([this.terms.isDue(user), this.attributes.isDue(user.attributes)]);
    return andThen(due, ([mustAcceptTerms, mustGiveAttributes]) =>
      mustAcceptTerms || mustGiveAttributes ? { mustAcceptTerms, mustGiveAttributes } : undefined,
    );
  }

  /** Throws `session_revoked` if the user is not active, or an actor may no longer act as the user. */
  assertActive(user: UserView | undefined, session: CachedSession): MaybePromise<UserView> {
    if (user?.status !== 'active') throw sessionErrors.sessionRevoked();
    return andThen(this.acting.assertAllowed(session), () => user);
  }

  /** The proofs of an actor are not those of the user. */
  private callerOf(user: UserView, session: CachedSession, recentSeconds: number): Caller {
    const recentFrom = this.clock.now() - recentSeconds * 1_000;
    const { actor } = session;
    return {
      userId: user.id,
      username: user.username,
      sessionId: session.id,
      locale: isLanguage(user.locale) ? user.locale : null,
      mustChangePassword: user.mustChangePassword,
      recentLogin: !actor && session.authenticatedAt > recentFrom,
      recentSecondFactor: !actor && session.secondFactorAt !== null && session.secondFactorAt > recentFrom,
      amr: session.amr,
      loginMethod: session.loginMethod,
      ...(actor && { actor }),
    };
  }
}
