import { Injectable, OnModuleInit } from '@nestjs/common';
import { StartupTasks, Transactions } from '../platform/database';
import { Scheduler } from '../platform/jobs';
import { Log } from '../platform/logging';
import { AuditMonth, AuditRepository } from './audit.repository';

const DAY_SECONDS = 86_400;

/** Keeps partitions ready ahead of time, so that the one for the rest stays empty: at the start, and once a day. */
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

  /** Nothing is lost without it: events of the month go to the partition for the rest. */
  private async create(month: AuditMonth): Promise<void> {
    try {
      await this.transactions.run(() => this.repository.createPartition(month));
    } catch (error) {
      // Made by another instance in the meantime.
      const missing = await this.repository.monthsWithoutPartition();
      if (!missing.some(({ partition }) => partition === month.partition)) return;
      this.log.warn('A month of the audit has no partition of its own', { partition: month.partition, err: error });
    }
  }
}
