import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuditEntry, AuditService } from '../../audit';
import { accessErrors } from '../../platform/access';
import { Caller, RequestContext } from '../../platform/context';
import { newId } from '../../platform/crypto';
import { DatabaseClock, Transactions } from '../../platform/database';
import { DomainEvents } from '../../platform/jobs/events';
import { describeDevice } from '../../platform/http';
import { SettingsReader } from '../../platform/settings';
import { ActingSessionRepository, EndedActing, NewActingSession, OwnSession } from './acting-session.repository';
import { SessionCache } from '../store/session.cache';
import { sessionErrors } from '../store/session.errors';
import { EndedSessions, sessionsEnded } from '../store/session.events';
import { SessionWithDbTime } from '../store/session.repository';
import { refreshTtl } from '../store/session.settings';
import { sessionActs } from '../store/session.acts';

/** Never longer, however often its tokens are refreshed. */
const ACTING_SECONDS = 1_800;
/** In place of the login method. */
const ACTING_METHOD = 'act_as';

/** Opens and ends the sessions in which one user acts as another. */
@Injectable()
export class ActingSessionsService implements OnModuleInit {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: ActingSessionRepository,
    private readonly cache: SessionCache,
    private readonly events: DomainEvents,
    private readonly settings: SettingsReader,
    private readonly clock: DatabaseClock,
    private readonly audit: AuditService,
  ) {}

  onModuleInit(): void {
    this.events.on(sessionsEnded, (ended) => this.follow(ended));
  }

  /**
   * Call in a transaction, after the authority of the actor was checked. Ends the session in which the actor acts already,
   * if any. Throws `session_revoked` if the actor's own session has ended, and `acting_restricted` for an actor who acts.
   */
  async open(actor: Caller, userId: string, request: RequestContext): Promise<SessionWithDbTime> {
    if (actor.actor) throw accessErrors.actingRestricted();
    const own = await this.sessions.lockOwn(actor.sessionId, actor.userId);
    if (!own) throw sessionErrors.sessionRevoked();
    await this.publish(await this.sessions.endFrom([actor.sessionId]));
    const lifetimes = { idle: await this.settings.get(refreshTtl), absolute: ACTING_SECONDS };
    const session = await this.sessions.open(newSession(actor, userId, own, request), lifetimes);
    this.clock.observe(session.now);
    await this.cache.opened(session);
    return session;
  }

  /**
   * A session that has already ended, or is no acting session, is no error.
   *
   * @param options.byActor the actor asked for it, in a request that has no caller
   */
  async end(id: string, { byActor = false } = {}): Promise<void> {
    await this.transactions.run(async () => {
      const ended = await this.sessions.end(id);
      if (ended) await this.publish([ended], byActor);
    });
  }

  /** A user acts no longer than the own session lives, and each end of an acting session is audited. */
  private async follow({ ids, areActing }: EndedSessions): Promise<void> {
    if (ids.length === 0 || areActing) return;
    const { acting, followers } = await this.sessions.endWith(ids);
    await this.audit.recordAll(acting.map((ended) => endEntry(ended)));
    await this.publish(followers);
  }

  /** One event for each user. A user acts from each own session only once, so they are as few as those. */
  private async publish(ended: readonly EndedActing[], byActor = false): Promise<void> {
    if (ended.length === 0) return;
    await this.audit.recordAll(ended.map((one) => endEntry(one, byActor)));
    for (const { id, userId } of ended) {
      await this.events.publish(sessionsEnded, { userId, ids: [id], areActing: true });
    }
    await this.cache.ended(ended.map(({ id }) => id));
  }
}

function newSession(
  { userId: actorId, username, sessionId }: Caller,
  userId: string,
  own: OwnSession,
  { ip, userAgent }: RequestContext,
): NewActingSession {
  return {
    ...own,
    id: newId(),
    userId,
    actor: { userId: actorId, username, sessionId },
    loginMethod: ACTING_METHOD,
    ip,
    userAgent,
    device: describeDevice(userAgent),
  };
}

function endEntry({ id, userId, username, actorId, actorName }: EndedActing, byActor = false): AuditEntry {
  return sessionActs.endActing({
    ...(byActor && { actor: { id: actorId, username: actorName }, sessionId: id }),
    target: { type: 'user', id: userId, label: username },
    before: { session_id: id, actor_id: actorId, actor_name: actorName },
  });
}
