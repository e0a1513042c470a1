import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuditLogRepository } from '../log/audit-log.repository';
import { auditRetentionDays } from '../log/audit.settings';
import { AuditService } from '../log/audit.service';
import { Transactions } from '../../platform/database';
import { Scheduler } from '../../platform/jobs';
import { Log } from '../../platform/logging';
import { SettingsReader } from '../../platform/settings';
import { AuditChainService } from './audit-chain.service';
import { auditActs } from '../log/audit.acts';

/** Runs much more often than months end, so that a restart delays it only briefly. */
const EVERY_SECONDS = 3_600;

/** `2026-08` of `audit_event_2026_08`. */
const monthOf = (partition: string): string => partition.slice(-7).replace('_', '-');

/**
 * Drops whole months older than setting `audit.retention_days`. Never deletes single rows. A signed root names each drop,
 * because nothing else excuses a missing event.
 */
@Injectable()
export class AuditRetentionJob implements OnModuleInit {
  constructor(
    private readonly repository: AuditLogRepository,
    private readonly chain: AuditChainService,
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
    const wanted = await this.settings.get(auditRetentionDays);
    // Checks first, because the lock blocks every audited action.
    if ((await this.repository.findExpired(wanted)).length === 0) return;
    const days = await this.allowedDays(wanted);
    if ((await this.repository.findExpired(days)).length === 0) return;
    await this.transactions.run(() => this.drop(days));
  }

  /** The longer of the setting and what signed roots say: a change in the database alone shortens nothing. */
  private async allowedDays(wanted: number): Promise<number> {
    const proven = await this.chain.retentionDays();
    if (wanted >= proven) return wanted;
    const fields = { retention_days: wanted, proven_retention_days: proven };
    this.log.warn('Keeps audit events longer than set: no signed root has the shorter retention', fields);
    return proven;
  }

  private async drop(wanted: number): Promise<void> {
    // In the order of the chain, which reads events under its lock.
    await this.chain.lock();
    await this.repository.lock();
    // Checks again under the lock: another instance may have dropped them, or a longer retention may have been set.
    const days = Math.max(wanted, await this.chain.retentionDays());
    const expired = await this.repository.findExpired(days);
    for (const partition of expired) await this.repository.drop(partition);
    if (expired.length === 0) return;
    const dropped = { partitions: expired, retention_days: days };
    await this.audit.record(auditActs.expire, { after: dropped });
    await this.chain.addDrop(expired.map(monthOf), days);
    await this.transactions.afterCommit(() => {
      this.log.info('Dropped expired audit partitions', dropped);
    });
  }
}
