import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far a handler of the host has read the feed. */
@Entity({ name: 'event_consumer' })
export class EventConsumer {
  @PrimaryColumn({ type: 'varchar', length: 100, primaryKeyConstraintName: 'event_consumer_pk' }) name: string;

  @Column({ type: 'bigint' }) position: string;
  @Column({ name: 'position_id', type: 'uuid' }) positionId: string;
  @Column({ name: 'position_ordinal', type: 'int' }) positionOrdinal: number;

  /** The instance that runs the handler. */
  @Column({ name: 'leased_by', type: 'uuid', nullable: true }) leasedBy: string | null;

  /** In the past: the last time that an instance ran it. */
  @Column({ name: 'leased_until', type: 'timestamptz', precision: 3, default: () => 'now()' }) leasedUntil: Date;
}
