import { Injectable } from '@nestjs/common';
import { Replicas, Transactions } from '../../platform/database';
import { DeliveryOutcome, MessageChannel, MessagePurpose } from '../message';
import { Delivery } from './delivery.entity';

export interface DeliveryFilter {
  readonly channel?: string | undefined;
  readonly purpose?: string | undefined;
  readonly outcome?: string | undefined;
  readonly provider?: string | undefined;
  readonly userId?: string | undefined;
  /** Masked. */
  readonly target?: string | undefined;
  /** The first moment that counts. */
  readonly from?: Date | undefined;
  /** The first that no longer does. */
  readonly to?: Date | undefined;
}

export interface DeliveryPosition {
  readonly at: string;
  readonly id: string;
}

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

const CONDITIONS: Record<keyof DeliveryFilter, string> = {
  channel: 'delivery.channel = :channel',
  purpose: 'delivery.purpose = :purpose',
  outcome: 'delivery.outcome = :outcome',
  provider: 'delivery.provider = :provider',
  userId: 'delivery.userId = :userId',
  target: 'delivery.target = :target',
  from: 'delivery.at >= :from',
  to: 'delivery.at < :to',
};

@Injectable()
export class DeliveryRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly replicas: Replicas,
  ) {}

  async begin(delivery: NewDelivery): Promise<void> {
    await this.transactions.manager.insert(Delivery, { ...delivery, outcome: 'unknown' });
  }

  async finish(id: string, result: FinishedDelivery): Promise<void> {
    await this.transactions.manager.update(Delivery, { id }, result);
  }

  /** Newest first. */
  find(filter: DeliveryFilter, after: DeliveryPosition | undefined, limit: number): Promise<Delivery[]> {
    return this.replicas.read((manager) => {
      const query = manager.createQueryBuilder(Delivery, 'delivery');
      for (const name of Object.keys(CONDITIONS) as (keyof DeliveryFilter)[]) {
        if (filter[name] !== undefined) query.andWhere(CONDITIONS[name], { [name]: filter[name] });
      }
      if (after) query.andWhere('(delivery.at, delivery.id) < (:at::timestamptz, :id::uuid)', after);
      return query.orderBy('delivery.at', 'DESC').addOrderBy('delivery.id', 'DESC').limit(limit).getMany();
    });
  }

  /** Deletes up to `limit` that are older than so many days; answers how many. */
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
