import { Injectable, OnModuleInit } from '@nestjs/common';
import { inBatches, Scheduler } from '../../platform/jobs';
import { WebhookDeliveryRepository } from './webhook-delivery.repository';

const EVERY_SECONDS = 3_600;
/** Much longer than the attempts of a delivery. */
const KEPT_DAYS = 14;

/** Deletes finished deliveries, in small batches that hold few locks. */
@Injectable()
export class WebhookRetentionJob implements OnModuleInit {
  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly jobs: Scheduler,
  ) {}

  onModuleInit(): void {
    this.jobs.every(EVERY_SECONDS, { name: 'old deliveries of webhooks', run: () => this.enforce() });
  }

  async enforce(): Promise<void> {
    await inBatches((limit) => this.deliveries.deleteOlderThan(KEPT_DAYS, limit));
  }
}
