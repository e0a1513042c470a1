import { Injectable } from '@nestjs/common';
import { ActingAuthority } from '../../platform/access';
import { ActingUser } from '../../platform/context';
import { DatabaseClock } from '../../platform/database';
import { MaybePromise } from '../../platform/util';
import { SettingsReader } from '../../platform/settings';
import { TermsService, UserCache } from '../../users';
import { ActingSessionsService } from './acting-sessions.service';
import { CachedSession } from '../store/cached-session';
import { SessionCache } from '../store/session.cache';
import { sessionErrors } from '../store/session.errors';
import { actAsEnabled } from '../store/session.settings';

export type PossiblyActing = Pick<CachedSession, 'id' | 'userId' | 'actor'>;

/**
 * Checks at each use of an acting session that its actor may still act as the user: neither a grant, nor the setting, nor
 * the actor's own login may have ended meanwhile, and the user may have gained grants.
 */
@Injectable()
export class ActingPolicyService {
  constructor(
    private readonly settings: SettingsReader,
    private readonly sessions: SessionCache,
    private readonly users: UserCache,
    private readonly terms: TermsService,
    private readonly authority: ActingAuthority,
    private readonly acting: ActingSessionsService,
    private readonly clock: DatabaseClock,
  ) {}

  /** Ends a session that is no longer allowed. Throws `session_revoked`. Other sessions pass, at once. */
  assertAllowed({ id, userId, actor }: PossiblyActing): MaybePromise<void> {
    return actor ? this.check(id, userId, actor) : undefined;
  }

  private async check(id: string, userId: string, actor: ActingUser): Promise<void> {
    if (await this.isAllowed(userId, actor)) return;
    // For good: it must not revive when the reason is gone.
    await this.acting.end(id);
    throw sessionErrors.sessionRevoked();
  }

  private async isAllowed(userId: string, actor: ActingUser): Promise<boolean> {
    const [isEnabled, isLoggedIn] = await Promise.all([this.settings.get(actAsEnabled), this.isLoggedIn(actor)]);
    return isEnabled && isLoggedIn && this.authority.covers(actor.userId, userId);
  }

  private async isLoggedIn({ userId, sessionId }: ActingUser): Promise<boolean> {
    const [session, user] = await Promise.all([this.sessions.get(sessionId), this.users.get(userId)]);
    const isLive = session?.userId === userId && !session.revoked && session.expiresAt > this.clock.now();
    if (!isLive || user?.status !== 'active' || user.mustChangePassword) return false;
    return !(await this.terms.isDue(user));
  }
}
