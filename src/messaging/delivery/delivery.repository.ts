import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CASTELLAN, Transactions } from '../../platform/database';
import { EventLogFilter, EventLogRepository, Position } from '../../platform/lists';
import { DeliveryOutcome, MessageChannel, MessagePurpose } from '../message/message';
import { Delivery } from './delivery.entity';

export type DeliveryFilter = EventLogFilter<Delivery>;

export interface NewDelivery {
  readonly id: string;
  readonly channel: MessageChannel;
  readonly purpose: MessagePurpose;
  readonly target: string;
  readonly userId: string | null;
}

export interface FinishedDelivery {
  readonly outcome: DeliveryOutcome;
  readonly provider: string | null;
  readonly providerMessageId: string | null;
  readonly providerCode: string | null;
  readonly costClass: string | null;
}

@Injectable()
export class DeliveryRepository {
  constructor(
    @InjectRepository(Delivery, CASTELLAN) private readonly deliveries: Repository<Delivery>,
    private readonly transactions: Transactions,
    private readonly journals: EventLogRepository,
  ) {}

  async begin(delivery: NewDelivery): Promise<void> {
    await this.deliveries.insert({ ...delivery, outcome: 'unknown' });
  }

  async finish(id: string, result: FinishedDelivery): Promise<void> {
    await this.deliveries.update({ id }, result);
  }

  /** Newest first. The filter on the target compares masked targets. */
  find(filter: DeliveryFilter, after: Position | undefined, limit: number): Promise<Delivery[]> {
    return this.journals.find(Delivery, filter, after, limit);
  }

  /** Deletes up to `limit` records older than the given days, and returns their number. SQL: skips locked rows. */
  async deleteOlderThan(days: number, limit: number): Promise<number> {
    const gone = await this.transactions.rows(
      `DELETE FROM message_delivery WHERE id IN (
         SELECT id FROM message_delivery WHERE at < now() - make_interval(days => $1)
         ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [days, limit],
    );
    return gone.length;
  }
}
