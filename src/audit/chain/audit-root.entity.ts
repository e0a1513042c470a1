import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A signed root over the events of about a minute. The table is append-only. */
@Entity({ name: 'audit_root' })
@Index('audit_root_by_time', { synchronize: false })
@Index('audit_root_with_entries', { synchronize: false })
@Index('audit_root_without_events', { synchronize: false })
export class AuditRoot {
  /** From 1, without gaps. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'audit_root_pk' }) number: string;

  /** The signed claims: see `RootClaims`. */
  @Column({ type: 'text' }) token: string;

  @Column({ type: 'int' }) events: number;

  /** The time of the latest event. */
  @Column({ name: 'last_at', type: 'timestamptz', precision: 3 }) lastAt: Date;

  @Column({ name: 'made_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) madeAt: Date;

  /** Id, time and digest of each event. Null: retention has dropped all of the events. */
  @Column({ type: 'bytea', nullable: true }) entries: Buffer | null;
}
