import { Injectable, OnModuleInit } from '@nestjs/common';
import { Scheduler } from '../../platform/jobs';
import { MetricsService } from '../../platform/metrics';
import { WebhookDeliveryRepository } from './webhook-delivery.repository';

const SECONDS = 30;

/** Reads how far deliveries lag behind for the metrics, because a scrape must not query the database. */
@Injectable()
export class WebhookMetricsJob implements OnModuleInit {
  private oldest: number | undefined;

  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly metrics: MetricsService,
    private readonly scheduler: Scheduler,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'castellan_webhook_delivery_age_seconds',
      'Age of the oldest undelivered event of enabled webhooks, 0 without one, read every half minute',
      () => this.oldest,
    );
    this.scheduler.every(SECONDS, { name: 'metrics of webhooks', run: () => this.read() });
  }

  async read(): Promise<void> {
    this.oldest = await this.deliveries.oldestPendingSeconds();
  }
}
