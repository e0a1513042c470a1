import { Injectable, OnModuleInit } from '@nestjs/common';
import { Scheduler } from '../../../platform/jobs';
import { MetricsService } from '../../../platform/metrics';
import { LogoutNoticeRepository } from '../storage/logout-notice.repository';

const SECONDS = 60;

/** Reads how far logout notices lag behind for the metrics, because a scrape must not query the database. */
@Injectable()
export class LogoutMetricsJob implements OnModuleInit {
  private oldest: number | undefined;

  constructor(
    private readonly notices: LogoutNoticeRepository,
    private readonly metrics: MetricsService,
    private readonly scheduler: Scheduler,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'castellan_logout_notice_age_seconds',
      'Age of the oldest logout notice that is not delivered, 0 without one, read every minute',
      () => this.oldest,
    );
    this.scheduler.every(SECONDS, { name: 'metrics of logout notices', run: () => this.read() });
  }

  async read(): Promise<void> {
    this.oldest = await this.notices.oldestSeconds();
  }
}
