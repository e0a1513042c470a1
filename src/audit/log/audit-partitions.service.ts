import { Injectable, OnModuleInit } from '@nestjs/common';
import { StartupTasks, Transactions } from '../../platform/database';
import { Scheduler } from '../../platform/jobs';
import { Log } from '../../platform/logging';
import { AuditMonth, AuditRepository } from './audit.repository';

const DAY_SECONDS = 86_400;

/** Creates partitions ahead of time, at start and once a day, so that the default partition stays empty. */
@Injectable()
export class AuditPartitionsService implements OnModuleInit {
  constructor(
    private readonly repository: AuditRepository,
    private readonly transactions: Transactions,
    private readonly log: Log,
    private readonly startup: StartupTasks,
    private readonly jobs: Scheduler,
  ) {}

  onModuleInit(): void {
    const task = { name: 'audit partitions', run: (): Promise<void> => this.ensure() };
    this.startup.add({ ...task, stage: 'partitions' });
    this.jobs.every(DAY_SECONDS, task);
  }

  async ensure(): Promise<void> {
    for (const month of await this.repository.monthsWithoutPartition()) await this.create(month);
  }

  /** A failure loses nothing: the month's events go to the default partition. */
  private async create(month: AuditMonth): Promise<void> {
    try {
      await this.transactions.run(() => this.repository.createPartition(month));
    } catch (error) {
      // Another instance may have created it in the meantime.
      const missing = await this.repository.monthsWithoutPartition();
      if (!missing.some(({ partition }) => partition === month.partition)) return;
      this.log.warn('Could not create the audit partition of a month', { partition: month.partition, err: error });
    }
  }
}
