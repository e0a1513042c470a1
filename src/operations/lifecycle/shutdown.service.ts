import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { Invalidations, KeyValueCache } from '../../platform/cache';
import { closeAll, Database } from '../../platform/database';
import { Scheduler } from '../../platform/jobs';
import { Log } from '../../platform/logging';
import { SessionActivityService } from '../../session';

/** Ends the jobs and closes connections once no request is left. */
@Injectable()
export class ShutdownService implements OnApplicationShutdown {
  constructor(
    private readonly jobs: Scheduler,
    private readonly activity: SessionActivityService,
    private readonly cache: KeyValueCache,
    private readonly invalidations: Invalidations,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Closes each part even if one before it fails, and throws the first error. The database comes last. */
  async onApplicationShutdown(): Promise<void> {
    await closeAll([
      () => this.jobs.stop(),
      () => this.flushActivity(),
      () => this.cache.close(),
      () => this.invalidations.close(),
      () => this.database.close(),
    ]);
  }

  private async flushActivity(): Promise<void> {
    try {
      await this.activity.flush();
    } catch (error) {
      this.log.warn('Could not write the latest session activity', { err: error });
    }
  }
}
