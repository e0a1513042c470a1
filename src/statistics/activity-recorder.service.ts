import { Injectable, OnModuleInit } from '@nestjs/common';
import { Transactions } from '../platform/database';
import { Scheduler } from '../platform/jobs';
import { ActivityRepository } from './activity.repository';

/** Often enough that the sessions of an hour are counted while those that ended since are still kept. */
const EVERY_SECONDS = 600;

/** Writes down what happened in each hour once it is over, and lets go of what no chart reaches any more. */
@Injectable()
export class ActivityRecorderService implements OnModuleInit {
  constructor(
    private readonly activity: ActivityRepository,
    private readonly transactions: Transactions,
    private readonly jobs: Scheduler,
  ) {}

  onModuleInit(): void {
    this.jobs.every(EVERY_SECONDS, { name: 'activity by the hour', run: () => this.record() });
  }

  record(): Promise<void> {
    return this.transactions.run(async () => {
      const { first, lastSettled } = await this.activity.openHours();
      if (first > lastSettled) return;
      await this.activity.write(first, lastSettled);
      await this.activity.deleteOld();
    });
  }
}
