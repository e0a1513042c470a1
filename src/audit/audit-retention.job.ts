import { Injectable, OnModuleInit } from '@nestjs/common';
import { Transactions } from '../platform/database';
import { Scheduler } from '../platform/jobs';
import { Log } from '../platform/logging';
import { SettingsReader } from '../platform/settings';
import { AuditLogRepository } from './audit-log.repository';
import { AuditService } from './audit.service';
import { auditRetentionDays } from './audit.settings';

/** Runs much more often than months end, so that a restart delays it only briefly. */
const EVERY_SECONDS = 3_600;

/** Drops whole months older than setting `audit.retention_days`. Never deletes single rows. */
@Injectable()
export class AuditRetentionJob implements OnModuleInit {
  constructor(
    private readonly repository: AuditLogRepository,
    private readonly settings: SettingsReader,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
    private readonly log: Log,
    private readonly jobs: Scheduler,
  ) {}

  onModuleInit(): void {
    this.jobs.every(EVERY_SECONDS, { name: 'audit retention', run: () => this.enforce() });
  }

  async enforce(): Promise<void> {
    const days = await this.settings.get(auditRetentionDays);
    // Checks first, because the lock blocks every audited action.
    if ((await this.repository.findExpired(days)).length === 0) return;
    const dropped = await this.transactions.run(() => this.drop(days));
    if (dropped.length === 0) return;
    this.log.info('Dropped expired audit partitions', { partitions: dropped, retention_days: days });
  }

  private async drop(days: number): Promise<string[]> {
    await this.repository.lock();
    // Checks again under the lock: another instance may have dropped them.
    const expired = await this.repository.findExpired(days);
    for (const partition of expired) await this.repository.drop(partition);
    if (expired.length > 0) {
      await this.audit.record({ action: 'audit.expire', after: { partitions: expired, retention_days: days } });
    }
    return expired;
  }
}
