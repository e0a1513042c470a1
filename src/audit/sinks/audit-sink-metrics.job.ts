import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuditDigestRepository } from '../log/audit-digest.repository';
import { Environment } from '../../platform/config';
import { Scheduler } from '../../platform/jobs';
import { MetricsService, Sample } from '../../platform/metrics';
import { auditSinkVariables } from './audit-sink.variables';
import { AuditSinkRepository } from './audit-sink.repository';

const SECONDS = 30;

/** Reads how far receivers lag behind for the metrics, because a scrape must not query the database. */
@Injectable()
export class AuditSinkMetricsJob implements OnModuleInit {
  private lags: Sample<'sink'>[] = [];

  constructor(
    private readonly sinks: AuditSinkRepository,
    private readonly digests: AuditDigestRepository,
    private readonly environment: Environment,
    private readonly metrics: MetricsService,
    private readonly jobs: Scheduler,
  ) {}

  onModuleInit(): void {
    this.metrics.gauges(
      'castellan_audit_sink_lag_seconds',
      'Age of the oldest audit event that a receiver has not got, 0 without one, read every half minute',
      ['sink'],
      () => this.lags,
    );
    if (this.environment.get(auditSinkVariables).length === 0) return;
    this.jobs.every(SECONDS, { name: 'metrics of the receivers of the audit log', run: () => this.read() });
  }

  async read(): Promise<void> {
    const kinds = new Set(this.environment.get(auditSinkVariables).map(({ kind }) => kind));
    const sinks = (await this.sinks.list()).filter(({ name }) => kinds.has(name));
    this.lags = await Promise.all(
      sinks.map(async ({ name, position, positionId }) => ({
        labels: { sink: name },
        value: await this.digests.waitingSeconds({ position, id: positionId }),
      })),
    );
  }
}
