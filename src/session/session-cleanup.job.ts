import { Injectable, OnModuleInit } from '@nestjs/common';
import { inBatches, Scheduler } from '../platform/jobs';
import { SessionRepository } from './store/session.repository';

const EVERY_SECONDS = 600;

/** Deletes sessions a day after they ended, in small batches to keep locks short. */
@Injectable()
export class SessionCleanupJob implements OnModuleInit {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly jobs: Scheduler,
  ) {}

  onModuleInit(): void {
    this.jobs.every(EVERY_SECONDS, { name: 'ended sessions', run: () => this.clean() });
  }

  async clean(): Promise<void> {
    await inBatches((limit) => this.sessions.deleteRevoked(limit));
    await inBatches((limit) => this.sessions.purgeExpired(limit));
  }
}
