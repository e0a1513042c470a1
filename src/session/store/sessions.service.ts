import { Injectable } from '@nestjs/common';
import { AuditEntry, AuditService } from '../../audit';
import { RequestContext } from '../../platform/context';
import { newId } from '../../platform/crypto';
import { DatabaseClock, Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { DomainEvents } from '../../platform/jobs/events';
import { describeDevice } from '../../platform/http';
import { SettingsReader } from '../../platform/settings';
import { SessionActivityService } from './session-activity.service';
import { SessionCache } from './session.cache';
import { allSessionsEnded, sessionsEnded } from './session.events';
import { NewSession, Reauthentication, SessionWithDbTime, SessionRepository } from './session.repository';
import { absoluteTtl, maxSessionsPerUser, refreshTtl } from './session.settings';
import { OneSessionAct, sessionActs } from './session.acts';

export interface Login {
  readonly userId: string;
  /** Type of the login method. */
  readonly method: string;
  /** false means that the cookies end with the browser. */
  readonly remember: boolean;
  /** Authentication Method References (RFC 8176) of every verified factor. */
  readonly amr: readonly string[];
  /** Whether a second factor was verified too. */
  readonly hasSecondFactor: boolean;
}

/** Opens, lists and ends sessions. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: SessionRepository,
    private readonly cache: SessionCache,
    private readonly events: DomainEvents,
    private readonly activity: SessionActivityService,
    private readonly settings: SettingsReader,
    private readonly clock: DatabaseClock,
    private readonly audit: AuditService,
  ) {}

  /**
   * Call in a transaction. Always opens a new session and sets the user's last login. A session beyond the limit ends
   * the one seen longest ago.
   */
  async open(login: Login, request: RequestContext): Promise<SessionWithDbTime> {
    const [idleSeconds, absoluteSeconds, max] = await Promise.all([
      this.settings.get(refreshTtl),
      this.settings.get(absoluteTtl),
      this.settings.get(maxSessionsPerUser),
    ]);
    return this.transactions.run(async () => {
      const lifetimes = { idleSeconds, absoluteSeconds };
      const { session, evicted } = await this.sessions.open(newSession(login, request), lifetimes, max);
      this.clock.observe(session.now);
      await this.evict(evicted, login.userId, max);
      await this.cache.opened(session);
      return session;
    });
  }

  /** Live sessions, newest activity first, including activity that this instance has not written yet. */
  async list(userId: string): Promise<SessionWithDbTime[]> {
    const sessions = await this.sessions.listLive(userId);
    for (const session of sessions) session.lastSeenAt = this.activity.lastSeen(session);
    return sessions.sort((one, other) => other.lastSeenAt.getTime() - one.lastSeenAt.getTime());
  }

  /** Reads the database, not the cache. */
  async isLive(id: string, userId: string): Promise<boolean> {
    return (await this.sessions.listLive(userId)).some((session) => session.id === id);
  }

  /** Whether the session's cookies outlast the browser. */
  async isRemembered(id: string): Promise<boolean> {
    return (await this.sessions.find(id))?.remember ?? false;
  }

  /** Throws `not_found` when the user has no such live session. */
  async revoke(id: string, userId: string): Promise<void> {
    if (!(await this.end(id, userId, sessionActs.revoke))) throw platformErrors.notFound();
  }

  /** A session that has already ended is no error. */
  async logout(id: string, userId: string): Promise<void> {
    await this.end(id, userId, sessionActs.logout);
  }

  /** Ends all sessions of the user, or all except one. Returns how many. */
  revokeAll(userId: string, { keep = null }: { keep?: string | null } = {}): Promise<number> {
    return this.transactions.run(async () => {
      const ended = await this.sessions.revokeAll(userId, keep);
      if (ended.length > 0) await this.audit.record(revokedAll(userId, ended));
      await this.events.publish(sessionsEnded, { userId, ids: ended, keep });
      await this.cache.ended(ended);
      return ended.length;
    });
  }

  /** Ends all sessions of the users, in as many statements as for one. Call in the transaction of the change. */
  async revokeAllOf(userIds: readonly string[]): Promise<void> {
    const ended = await this.sessions.revokeAllOf(userIds);
    await this.audit.recordAll([...ended].map(([userId, ids]) => revokedAll(userId, ids)));
    await this.events.publish(allSessionsEnded, { userIds });
    await this.cache.ended([...ended.values()].flat());
  }

  /** Ends the user's sessions that began at or after the time. Returns how many. */
  revokeSince(userId: string, since: Date): Promise<number> {
    return this.transactions.run(async () => {
      const ended = await this.sessions.revokeSince(userId, since);
      if (ended.length === 0) return 0;
      await this.audit.record(revokedAll(userId, ended, { since: since.toISOString() }));
      await this.events.publish(sessionsEnded, { userId, ids: ended });
      await this.cache.ended(ended);
      return ended.length;
    });
  }

  /** Up to `limit` users after the id `after`, by id, with live sessions that began at or after `since`. */
  usersWithLive(since: Date | null, after: string, limit: number): Promise<string[]> {
    return this.sessions.findUsersWithLive(since, after, limit);
  }

  /** Call after the user has just reauthenticated in this session. */
  async confirm(id: string, proof: Reauthentication): Promise<void> {
    await this.transactions.run(async () => {
      const session = await this.sessions.touchAuthenticated(id, proof);
      if (session) await this.cache.confirmed(session);
    });
  }

  private async evict(ids: readonly string[], userId: string, max: number): Promise<void> {
    if (ids.length === 0) return;
    await this.audit.record(sessionActs.evict, {
      target: { type: 'user', id: userId },
      after: { session_ids: ids, max_per_user: max },
    });
    await this.events.publish(sessionsEnded, { userId, ids });
    await this.cache.ended(ids);
  }

  private end(id: string, userId: string, act: OneSessionAct): Promise<boolean> {
    return this.transactions.run(async () => {
      if (!(await this.sessions.revoke(id, userId))) return false;
      await this.audit.record(act, { target: { type: 'session', id }, before: { user_id: userId } });
      await this.events.publish(sessionsEnded, { userId, ids: [id] });
      await this.cache.ended([id]);
      return true;
    });
  }
}

function newSession({ method, ...login }: Login, { ip, userAgent }: RequestContext): NewSession {
  return { ...login, id: newId(), loginMethod: method, ip, userAgent, device: describeDevice(userAgent) };
}

function revokedAll(userId: string, ids: readonly string[], more: { readonly since?: string } = {}): AuditEntry {
  return sessionActs.revokeAll({
    target: { type: 'user', id: userId },
    after: { revoked: ids.length, ...more, session_ids: ids },
  });
}
