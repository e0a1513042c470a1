import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { DeliveryState } from '../../platform/outbound/deliveries';
import { Webhook } from './webhook.entity';

/** An event for a receiver. */
@Entity({ name: 'webhook_delivery' })
@Check('webhook_delivery_state_known', `state IN ('pending', 'delivered', 'failed')`)
@Index('webhook_delivery_by_webhook', { synchronize: false })
@Index('webhook_delivery_pending', { synchronize: false })
@Index('webhook_delivery_by_time', { synchronize: false })
export class WebhookDelivery {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_delivery_pk' }) id: string;

  @ForeignKey(() => Webhook, { name: 'webhook_delivery_webhook_fk', onDelete: 'CASCADE' })
  @Column({ name: 'webhook_id', type: 'uuid' })
  webhookId: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) at: Date;

  @Column({ name: 'event_id', type: 'uuid' }) eventId: string;

  @Column({ name: 'event_type', type: 'varchar', length: 80 }) eventType: string;

  /** Deliveries of one subject are attempted one after the other. */
  @Column({ type: 'varchar', length: 200 }) subject: string;

  /** With the event's id, the order of the deliveries. */
  @Column({ type: 'bigint' }) position: string;

  /** The body, so that each attempt sends the same. */
  @Column({ type: 'text' }) payload: string;

  @Column({ type: 'varchar', length: 16 }) state: DeliveryState;

  @Column({ type: 'smallint', default: 0 }) attempts: number;

  @Column({ name: 'next_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) nextAt: Date;

  @Column({ name: 'attempted_at', type: 'timestamptz', precision: 3, nullable: true }) attemptedAt: Date | null;

  /** Of the last attempt. */
  @Column({ type: 'smallint', nullable: true }) status: number | null;

  /** The beginning of the last answer. */
  @Column({ type: 'varchar', length: 500, nullable: true }) answer: string | null;

  /** Why there was no answer. */
  @Column({ type: 'varchar', length: 32, nullable: true }) error: string | null;
}
