import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../users';

export const webhookFormats = ['standard_webhooks', 'caep'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

/** Why the service stopped a webhook: its receiver failed, or who last set it may not send events. */
export const disabledReasons = ['receiver_failed', 'setter_unauthorized'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** Whether the webhook sends again as soon as its setter may. */
export const isSuspended = ({ enabled, disabledReason }: Pick<Webhook, 'enabled' | 'disabledReason'>): boolean =>
  enabled && disabledReason !== null;

/** A receiver of events, and how far it has read the feed. */
@Entity({ name: 'webhook' })
@Check('webhook_format_known', `format IN ('standard_webhooks', 'caep')`)
@Check('webhook_disabled_reason_known', `disabled_reason IN ('receiver_failed', 'setter_unauthorized')`)
@Index('webhook_by_owner', ['ownerId'])
export class Webhook {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_pk' }) id: string;

  @Column({ type: 'varchar', length: 100 }) name: string;

  @Column({ type: 'varchar', length: 2_000 }) url: string;

  @Column({ type: 'varchar', length: 32, default: 'standard_webhooks' }) format: WebhookFormat;

  /** `aud` of Security Event Tokens; null for other formats. */
  @Column({ type: 'varchar', length: 255, nullable: true }) audience: string | null;

  /** Types, or prefixes such as `user.*`. Empty: all. */
  @Column({ type: 'jsonb' }) types: readonly string[];

  @Column({ type: 'boolean' }) enabled: boolean;

  /** Sealed, because values may be secrets. */
  @Column({ type: 'text' }) headers: string;

  /** Sealed. */
  @Column({ type: 'text' }) secret: string;

  /** Sealed; signs, too, until `formerSecretUntil`. */
  @Column({ name: 'former_secret', type: 'text', nullable: true }) formerSecret: string | null;

  @Column({ name: 'former_secret_until', type: 'timestamptz', precision: 3, nullable: true })
  formerSecretUntil: Date | null;

  /** Notified when the webhook is disabled after failures. */
  @ForeignKey(() => User, { name: 'webhook_owner_fk', onDelete: 'SET NULL' })
  @Column({ name: 'owner_id', type: 'uuid', nullable: true })
  ownerId: string | null;

  /**
   * Who last set what is sent. Null: unknown, and the webhook belongs to the service. Without a foreign key: after a
   * deletion, the webhook must not pass to the service.
   */
  @Column({ name: 'set_by', type: 'uuid', nullable: true }) setBy: string | null;

  /** Null while it sends, and when a user disabled it. One that is enabled is suspended until its setter may send again. */
  @Column({ name: 'disabled_reason', type: 'varchar', length: 32, nullable: true })
  disabledReason: DisabledReason | null;

  /** The place in the feed up to which deliveries exist. */
  @Column({ type: 'bigint' }) position: string;
  @Column({ name: 'position_id', type: 'uuid' }) positionId: string;
  @Column({ name: 'position_ordinal', type: 'int' }) positionOrdinal: number;

  /** The instance that delivers. */
  @Column({ name: 'leased_by', type: 'uuid', nullable: true }) leasedBy: string | null;

  @Column({ name: 'leased_until', type: 'timestamptz', precision: 3, nullable: true }) leasedUntil: Date | null;

  @Column({ name: 'last_success_at', type: 'timestamptz', precision: 3, nullable: true }) lastSuccessAt: Date | null;

  /** The first failure since the last success. */
  @Column({ name: 'failing_since', type: 'timestamptz', precision: 3, nullable: true }) failingSince: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) updatedAt: Date;
}
