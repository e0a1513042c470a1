import { Injectable, OnModuleInit } from '@nestjs/common';
import { Transactions } from '../../platform/database';
import { Scheduler } from '../../platform/jobs';
import { AccountCountRepository } from './account-count.repository';
import { ActivityRepository } from './activity.repository';

/** Frequent enough to count an hour's sessions before the ended ones are deleted. */
const EVERY_SECONDS = 600;

/** Stores the counts of each completed hour and of the accounts, and deletes those beyond the longest range. */
@Injectable()
export class ActivityRecorderService implements OnModuleInit {
  constructor(
    private readonly activity: ActivityRepository,
    private readonly accounts: AccountCountRepository,
    private readonly transactions: Transactions,
    private readonly jobs: Scheduler,
  ) {}

  onModuleInit(): void {
    this.jobs.every(EVERY_SECONDS, { name: 'hourly activity', run: () => this.record() });
    this.jobs.every(EVERY_SECONDS, { name: 'counts of accounts', runsAtStart: true, run: () => this.accounts.keep() });
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
