import { Injectable, OnModuleInit } from '@nestjs/common';
import { DatabaseClock } from '../../platform/database';
import { Scheduler } from '../../platform/jobs';
import { SessionRepository } from './session.repository';

const FLUSH_SECONDS = 60;
const MAX_SESSIONS = 10_000;

/** Collects session activity and writes it once a minute, to keep writes out of requests. */
@Injectable()
export class SessionActivityService implements OnModuleInit {
  /** Milliseconds since the epoch. */
  private readonly seen = new Map<string, number>();

  constructor(
    private readonly sessions: SessionRepository,
    private readonly clock: DatabaseClock,
    private readonly jobs: Scheduler,
  ) {}

  onModuleInit(): void {
    this.jobs.every(FLUSH_SECONDS, { name: 'session activity', run: () => this.flush() });
  }

  note(sessionId: string): void {
    if (this.seen.size < MAX_SESSIONS || this.seen.has(sessionId)) this.seen.set(sessionId, this.clock.now());
  }

  /** Includes activity that is not written yet. */
  lastSeen({ id, lastSeenAt }: { readonly id: string; readonly lastSeenAt: Date }): Date {
    const noted = this.seen.get(id);
    return noted !== undefined && noted > lastSeenAt.getTime() ? new Date(noted) : lastSeenAt;
  }

  async flush(): Promise<void> {
    const seen = [...this.seen].map(([id, at]) => ({ id, at: new Date(at) }));
    if (seen.length === 0) return;
    this.seen.clear();
    try {
      await this.sessions.touchSeen(seen);
    } catch (error) {
      this.putBack(seen);
      throw error;
    }
  }

  /** Keeps newer activity noted in the meantime. */
  private putBack(seen: readonly { id: string; at: Date }[]): void {
    for (const { id, at } of seen) {
      if (this.seen.size < MAX_SESSIONS && !this.seen.has(id)) this.seen.set(id, at.getTime());
    }
  }
}
