import { Module } from '@nestjs/common';
import { DeliveryAttemptsService } from './delivery-attempts.service';

/** What all queues of deliveries to other systems share. Each queue keeps its rows. */
@Module({ providers: [DeliveryAttemptsService], exports: [DeliveryAttemptsService] })
export class DeliveriesModule {}
