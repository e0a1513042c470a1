import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuditDigestRepository } from '../log/audit-digest.repository';
import { inBatches, Scheduler } from '../../platform/jobs';
import { MetricsService } from '../../platform/metrics';
import { AuditChainService } from './audit-chain.service';
import { AuditDropsService } from './audit-drops.service';
import { AuditRootRepository } from './audit-root.repository';

const EVERY_SECONDS = 60;
/** Another instance has added a root in this minute. */
const RECENT_SECONDS = 50;

/** Extends the chain every minute, and removes entries of events that retention has dropped. */
@Injectable()
export class AuditChainJob implements OnModuleInit {
  private waitingSeconds: number | undefined;

  constructor(
    private readonly chain: AuditChainService,
    private readonly roots: AuditRootRepository,
    private readonly digests: AuditDigestRepository,
    private readonly drops: AuditDropsService,
    private readonly metrics: MetricsService,
    private readonly jobs: Scheduler,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'castellan_audit_unchained_seconds',
      'Age of the oldest audit event that no signed root covers, 0 without one, read every minute',
      () => this.waitingSeconds,
    );
    this.jobs.every(EVERY_SECONDS, { name: 'chain of the audit log', run: () => this.run() });
  }

  async run(): Promise<void> {
    try {
      if (((await this.roots.newestAge()) ?? Infinity) >= RECENT_SECONDS) await this.chain.extend();
      await this.clearDropped();
    } finally {
      await this.measure();
    }
  }

  /** Digests of dropped events prove nothing, and might reveal what was in them. */
  private async clearDropped(): Promise<void> {
    const { ranges } = await this.drops.find();
    if (ranges.length > 0) await inBatches((limit) => this.roots.clearEntries(ranges, limit));
  }

  private async measure(): Promise<void> {
    const end = await this.chain.end();
    this.waitingSeconds = end && (await this.digests.waitingSeconds(end));
  }
}
