import { Injectable, OnModuleInit } from '@nestjs/common';
import { inBatches, Scheduler } from '../../platform/jobs';
import { SettingsReader } from '../../platform/settings';
import { DeliveryRepository } from './delivery.repository';
import { deliveryRetentionDays } from './delivery.settings';

const EVERY_SECONDS = 3_600;

/** Deletes delivery records older than the setting `delivery.retention_days`, in small batches that hold few locks. */
@Injectable()
export class DeliveryRetentionJob implements OnModuleInit {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly settings: SettingsReader,
    private readonly jobs: Scheduler,
  ) {}

  onModuleInit(): void {
    this.jobs.every(EVERY_SECONDS, { name: 'old deliveries', run: () => this.enforce() });
  }

  async enforce(): Promise<void> {
    const days = await this.settings.get(deliveryRetentionDays);
    await inBatches((limit) => this.deliveries.deleteOlderThan(days, limit));
  }
}
