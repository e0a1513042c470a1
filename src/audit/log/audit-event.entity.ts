import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

export type AuditOutcome = 'success' | 'failure';

/** Permission ids (`scope:resource:action`) are the longest ids. */
export const MAX_TARGET_ID = 152;
export const MAX_TARGET_TYPE = 32;
export const MAX_TARGET_LABEL = 254;

/** One audited action. The table is append-only and partitioned by month. */
@Entity({ name: 'audit_event' })
@Check('audit_event_outcome_known', `outcome IN ('success', 'failure')`)
@Index('audit_event_by_actor', { synchronize: false })
@Index('audit_event_by_action', { synchronize: false })
@Index('audit_event_by_target', { synchronize: false })
@Index('audit_event_by_position', { synchronize: false })
@Index('audit_event_failures', { synchronize: false })
@Index('audit_event_locks', { synchronize: false })
@Index('audit_event_by_organization', { synchronize: false })
@Index('audit_event_by_represented_user', { synchronize: false })
export class AuditEvent {
  @PrimaryColumn({
    type: 'timestamptz',
    precision: 3,
    default: () => 'now()',
    primaryKeyConstraintName: 'audit_event_pk',
  })
  at: Date;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'audit_event_pk' }) id: string;

  /** `session.revoke`, `role.update`, … */
  @Column({ type: 'varchar', length: 64 }) action: string;

  @Column({ type: 'varchar', length: 16 }) outcome: AuditOutcome;

  @Column({ name: 'actor_id', type: 'uuid', nullable: true }) actorId: string | null;

  @Column({ name: 'actor_name', type: 'varchar', length: 64, nullable: true }) actorName: string | null;

  /** The user that the actor acted as; null for acts in the own name. */
  @Column({ name: 'on_behalf_of_id', type: 'uuid', nullable: true }) onBehalfOfId: string | null;

  @Column({ name: 'on_behalf_of_name', type: 'varchar', length: 64, nullable: true }) onBehalfOfName: string | null;

  @Column({ name: 'session_id', type: 'uuid', nullable: true }) sessionId: string | null;

  @Column({ name: 'target_type', type: 'varchar', length: MAX_TARGET_TYPE, nullable: true }) targetType: string | null;

  @Column({ name: 'target_id', type: 'varchar', length: MAX_TARGET_ID, nullable: true }) targetId: string | null;

  @Column({ name: 'target_label', type: 'varchar', length: MAX_TARGET_LABEL, nullable: true })
  targetLabel: string | null;

  @Column({ type: 'varchar', length: 45, nullable: true }) ip: string | null;

  @Column({ name: 'user_agent', type: 'varchar', length: 512, nullable: true }) userAgent: string | null;

  @Column({ name: 'request_id', type: 'varchar', length: 64, nullable: true }) requestId: string | null;

  /** Secrets are masked before they get here. */
  @Column({ type: 'jsonb', nullable: true }) before: object | null;

  @Column({ type: 'jsonb', nullable: true }) after: object | null;

  @Column({ type: 'text', nullable: true }) reason: string | null;

  /** The organization whose administrators may read it; null for acts that concern none, and for those of former versions. */
  @Column({ name: 'organization_id', type: 'uuid', nullable: true }) organizationId: string | null;

  /**
   * Number of the transaction: an event whose transaction began to write later has a higher one. Null for events from
   * before the event feed.
   */
  @Column({
    type: 'bigint',
    nullable: true,
    select: false,
    default: () => 'audit_event_position(pg_current_xact_id())',
  })
  position: string | null;
}
