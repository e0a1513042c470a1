import { Injectable, OnModuleInit } from '@nestjs/common';
import { Transactions } from '../platform/database';
import { Scheduler } from '../platform/jobs';
import { Log } from '../platform/logging';
import { SettingsReader } from '../platform/settings';
import { AuditLogRepository } from './audit-log.repository';
import { AuditService } from './audit.service';
import { auditRetentionDays } from './audit.settings';

/** More often than months end, so that no restart puts it off for long. */
const EVERY_SECONDS = 3_600;

/** Lets go of the months that are older than setting `audit.retention_days`; rows of a month that stays are never touched. */
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
    // Looked at first, because the lock stops every act that is audited.
    if ((await this.repository.findExpired(days)).length === 0) return;
    const dropped = await this.transactions.run(() => this.drop(days));
    if (dropped.length > 0) this.log.info('Dropped months of the audit', { partitions: dropped, retention_days: days });
  }

  private async drop(days: number): Promise<string[]> {
    await this.repository.lock();
    // Looked at again: another instance may have been here first.
    const expired = await this.repository.findExpired(days);
    for (const partition of expired) await this.repository.drop(partition);
    if (expired.length > 0) {
      await this.audit.record({ action: 'audit.expire', after: { partitions: expired, retention_days: days } });
    }
    return expired;
  }
}
