import { Injectable, OnModuleInit } from '@nestjs/common';
import { StartupTasks, Transactions } from '../../platform/database';
import { Log } from '../../platform/logging';
import { AuditPositionRepository } from './audit-position.repository';

/**
 * Keeps positions ascending when a dump is restored in a cluster whose transaction numbers are lower. Otherwise readers
 * of the feed would miss all events until the numbers are as high again.
 */
@Injectable()
export class AuditPositionsService implements OnModuleInit {
  constructor(
    private readonly positions: AuditPositionRepository,
    private readonly transactions: Transactions,
    private readonly log: Log,
    private readonly startup: StartupTasks,
  ) {}

  onModuleInit(): void {
    this.startup.add({ name: 'audit positions', stage: 'partitions', run: () => this.ensure() });
  }

  async ensure(): Promise<void> {
    const { last, next } = await this.positions.range();
    if (next > last) return;
    await this.transactions.run(() => this.positions.raise(last - next + 1n));
    this.log.info('The database was restored in another cluster: raised the positions of audit events');
  }
}
