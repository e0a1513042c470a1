import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { DeliveryOutcome, MessageChannel, MessagePurpose } from '../message/message';

/** One message and its outcome, without its content. */
@Entity({ name: 'message_delivery' })
@Check('message_delivery_outcome_known', `outcome IN ('accepted', 'rejected', 'throttled', 'unknown')`)
@Index('message_delivery_by_time', { synchronize: false })
@Index('message_delivery_by_user', { synchronize: false })
@Index('message_delivery_by_target', { synchronize: false })
export class Delivery {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'message_delivery_pk' }) id: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) at: Date;

  @Column({ type: 'varchar', length: 16 }) channel: MessageChannel;

  @Column({ type: 'varchar', length: 32 }) purpose: MessagePurpose;

  /** Masked. */
  @Column({ type: 'varchar', length: 254 }) target: string;

  @Column({ name: 'user_id', type: 'uuid', nullable: true }) userId: string | null;

  /** Also `unknown` while the provider is being called, so that it stays correct if the process dies. */
  @Column({ type: 'varchar', length: 16 }) outcome: DeliveryOutcome;

  @Column({ type: 'varchar', length: 32, nullable: true }) provider: string | null;

  @Column({ name: 'provider_message_id', type: 'varchar', length: 128, nullable: true }) providerMessageId:
    string | null;

  @Column({ name: 'provider_code', type: 'varchar', length: 128, nullable: true }) providerCode: string | null;

  @Column({ name: 'cost_class', type: 'varchar', length: 32, nullable: true }) costClass: string | null;
}
