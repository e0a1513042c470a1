import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '../platform/database';
import { Jobs } from '../platform/jobs';
import { SessionRepository } from './session.repository';

const FLUSH_SECONDS = 60;
const MOST = 10_000;

/** Gathers when sessions were seen and writes it down once a minute, so that no request pays for it. */
@Injectable()
export class SessionActivity {
  private readonly seen = new Map<string, Date>();

  constructor(
    private readonly sessions: SessionRepository,
    private readonly clock: DatabaseClock,
    jobs: Jobs,
  ) {
    jobs.every(FLUSH_SECONDS, { name: 'session activity', run: () => this.flush() });
  }

  note(sessionId: string): void {
    if (this.seen.size < MOST || this.seen.has(sessionId)) this.seen.set(sessionId, new Date(this.clock.now()));
  }

  /** Counting in what is not written down yet. */
  lastSeen({ id, lastSeenAt }: { readonly id: string; readonly lastSeenAt: Date }): Date {
    const noted = this.seen.get(id);
    return noted && noted > lastSeenAt ? noted : lastSeenAt;
  }

  async flush(): Promise<void> {
    const seen = [...this.seen].map(([id, at]) => ({ id, at }));
    this.seen.clear();
    if (seen.length > 0) await this.sessions.touchSeen(seen);
  }
}
