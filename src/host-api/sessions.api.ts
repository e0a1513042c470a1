import { Injectable } from '@nestjs/common';
import { userPermissions } from '../rbac';
import { SessionWithDbTime } from '../session';
import { AccountSessionsService } from '../user-admin';
import { ActOptions, HostActsService } from './host-acts.service';
import { knownId } from './known-id';

/** A live session of a user. */
export interface SessionView {
  readonly id: string;
  readonly userId: string;
  readonly loginMethod: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

const viewOf = (session: SessionWithDbTime): SessionView => ({
  id: session.id,
  userId: session.userId,
  loginMethod: session.loginMethod,
  ip: session.ip,
  userAgent: session.userAgent,
  createdAt: session.createdAt,
  lastSeenAt: session.lastSeenAt,
  expiresAt: session.expiresAt,
});

/** Login sessions, for the code of the application. An ended session is rejected everywhere within a second. */
@Injectable()
export class SessionsApi {
  constructor(
    private readonly sessions: AccountSessionsService,
    private readonly acts: HostActsService,
  ) {}

  /** The live sessions, newest activity first. Throws `not_found`. */
  async list(userId: string): Promise<SessionView[]> {
    return (await this.sessions.list(knownId(userId))).map(viewOf);
  }

  /** Throws `not_found` (also for a session of another user) or `escalation_denied`. */
  revoke(userId: string, sessionId: string, options: ActOptions = {}): Promise<void> {
    return this.acts.run(options, [userPermissions.administer], (actor) =>
      this.sessions.revoke(actor, knownId(userId), sessionId),
    );
  }

  /**
   * Ends all sessions of the user, or those that began at `since` or later. Returns how many. Throws `not_found` or
   * `escalation_denied`.
   */
  revokeAll(userId: string, { since = null, ...options }: ActOptions & { since?: Date | null } = {}): Promise<number> {
    return this.acts.run(options, [userPermissions.administer], (actor) =>
      this.sessions.revokeAll(actor, knownId(userId), since),
    );
  }
}
