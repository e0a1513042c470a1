import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuditSinkKind } from './audit-sink.variables';

/** How far a receiver of the audit log has come. */
@Entity({ name: 'audit_sink' })
export class AuditSink {
  @PrimaryColumn({ type: 'varchar', length: 16, primaryKeyConstraintName: 'audit_sink_pk' }) name: AuditSinkKind;

  /** The place of the last event that it has received. */
  @Column({ type: 'bigint' }) position: string;
  @Column({ name: 'position_id', type: 'uuid' }) positionId: string;

  /** The instance that sends. */
  @Column({ name: 'leased_by', type: 'uuid', nullable: true }) leasedBy: string | null;

  @Column({ name: 'leased_until', type: 'timestamptz', precision: 3, nullable: true }) leasedUntil: Date | null;

  /** Since the last success. */
  @Column({ type: 'int', default: 0 }) failures: number;

  /** How often in a row the receiver has rejected the next event alone. */
  @Column({ type: 'int', default: 0 }) rejections: number;

  @Column({ name: 'next_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) nextAt: Date;
}
