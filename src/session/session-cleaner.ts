import { Injectable } from '@nestjs/common';
import { Jobs } from '../platform/jobs';
import { SessionRepository } from './session.repository';

const EVERY_SECONDS = 600;
const BATCH = 1_000;
const BATCHES = 100;

/** Deletes sessions that ended more than a day ago, in batches that lock little. */
@Injectable()
export class SessionCleaner {
  constructor(
    private readonly sessions: SessionRepository,
    jobs: Jobs,
  ) {
    jobs.every(EVERY_SECONDS, { name: 'ended sessions', run: () => this.clean() });
  }

  async clean(): Promise<void> {
    for (let batch = 0; batch < BATCHES; batch++) {
      if ((await this.sessions.deleteEnded(BATCH)) < BATCH) return;
    }
  }
}
