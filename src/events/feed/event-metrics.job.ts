import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuditPositionRepository } from '../../audit';
import { Scheduler } from '../../platform/jobs';
import { MetricsService } from '../../platform/metrics';

const SECONDS = 30;

/** Reads how far the feed lags behind for the metrics, because a scrape must not query the database. */
@Injectable()
export class EventMetricsJob implements OnModuleInit {
  private heldBack: number | undefined;

  constructor(
    private readonly acts: AuditPositionRepository,
    private readonly metrics: MetricsService,
    private readonly scheduler: Scheduler,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'castellan_event_held_back_seconds',
      'Age of the oldest event that waits for an older transaction, 0 without one, read every half minute',
      () => this.heldBack,
    );
    this.scheduler.every(SECONDS, { name: 'metrics of events', run: () => this.read() });
  }

  async read(): Promise<void> {
    this.heldBack = await this.acts.heldBackSeconds();
  }
}
