import { Injectable } from '@nestjs/common';
import { Audit } from '../audit';
import { RequestContext } from '../platform/context';
import { newId } from '../platform/crypto';
import { DatabaseClock, Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { describeDevice } from '../platform/http';
import { SettingsReader } from '../platform/settings';
import { SessionActivity } from './session-activity';
import { SessionEndings } from './session-endings';
import { SessionState } from './session-state';
import { NewSession, Reauthentication, SessionNow, SessionRepository } from './session.repository';
import { absoluteTtl, maxSessionsPerUser, refreshTtl } from './session.settings';

export interface Login {
  readonly userId: string;
  /** Type of the login method. */
  readonly method: string;
  /** false: the cookies end with the browser. */
  readonly remember: boolean;
  /** Authentication Method References (RFC 8176) of all that was proved. */
  readonly amr: readonly string[];
  /** A second factor was proved as well. */
  readonly hasSecondFactor: boolean;
}

/** Opens, lists and ends sessions. */
@Injectable()
export class Sessions {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: SessionRepository,
    private readonly state: SessionState,
    private readonly endings: SessionEndings,
    private readonly activity: SessionActivity,
    private readonly settings: SettingsReader,
    private readonly clock: DatabaseClock,
    private readonly audit: Audit,
  ) {}

  /**
   * In the caller's transaction, which becomes the user's last login. A login always opens a new session; one beyond the
   * limit ends the one seen longest ago.
   */
  async open(login: Login, request: RequestContext): Promise<SessionNow> {
    const [idleSeconds, absoluteSeconds, most] = await Promise.all([
      this.settings.get(refreshTtl),
      this.settings.get(absoluteTtl),
      this.settings.get(maxSessionsPerUser),
    ]);
    return this.transactions.run(async () => {
      const lifetimes = { idleSeconds, absoluteSeconds };
      const { session, evicted } = await this.sessions.open(newSession(login, request), lifetimes, most);
      this.clock.observe(session.now);
      await this.evict(evicted, login.userId, most);
      return session;
    });
  }

  /** Live sessions, newest activity first, that of this instance up to the moment. */
  async list(userId: string): Promise<SessionNow[]> {
    const sessions = await this.sessions.listLive(userId);
    for (const session of sessions) session.lastSeenAt = this.activity.lastSeen(session);
    return sessions.sort((one, other) => other.lastSeenAt.getTime() - one.lastSeenAt.getTime());
  }

  /** Whether its cookies outlast the browser. */
  async isRemembered(id: string): Promise<boolean> {
    return (await this.sessions.find(id))?.remember ?? false;
  }

  /** Errors: `not_found` when the user has no such live session. */
  async revoke(id: string, userId: string): Promise<void> {
    if (!(await this.end(id, userId, 'session.revoke'))) throw platformErrors.notFound();
  }

  /** One that ended meanwhile is as good as logged out. */
  async logout(id: string, userId: string): Promise<void> {
    await this.end(id, userId, 'session.logout');
  }

  /** Ends all sessions of the user, or all but one; answers how many. */
  revokeAll(userId: string, { keep = null }: { keep?: string | null } = {}): Promise<number> {
    return this.transactions.run(async () => {
      const ended = await this.sessions.revokeAll(userId, keep);
      if (ended.length > 0) {
        const after = { revoked: ended.length };
        await this.audit.record({ action: 'session.revoke_all', target: { type: 'user', id: userId }, after });
      }
      await this.endings.tell({ userId, ids: ended, keep });
      await this.state.changed(ended);
      return ended.length;
    });
  }

  /** The user proved in this session, just now, to be the one who logged in. */
  async confirm(id: string, proof: Reauthentication): Promise<void> {
    await this.transactions.run(async () => {
      await this.sessions.touchAuthenticated(id, proof);
      await this.state.changed(id);
    });
  }

  private async evict(ids: readonly string[], userId: string, most: number): Promise<void> {
    if (ids.length === 0) return;
    await this.audit.record({
      action: 'session.evict',
      target: { type: 'user', id: userId },
      after: { session_ids: ids, max_per_user: most },
    });
    await this.endings.tell({ userId, ids });
    await this.state.changed(ids);
  }

  private end(id: string, userId: string, action: string): Promise<boolean> {
    return this.transactions.run(async () => {
      if (!(await this.sessions.revoke(id, userId))) return false;
      await this.audit.record({ action, target: { type: 'session', id }, before: { user_id: userId } });
      await this.endings.tell({ userId, ids: [id] });
      await this.state.changed(id);
      return true;
    });
  }
}

function newSession({ method, ...login }: Login, { ip, userAgent }: RequestContext): NewSession {
  return { ...login, id: newId(), loginMethod: method, ip, userAgent, device: describeDevice(userAgent) };
}
