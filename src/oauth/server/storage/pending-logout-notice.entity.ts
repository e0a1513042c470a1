import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A logout notice that is not delivered yet. It has no foreign keys, because applications are also notified of deleted
 * users, and every logout would lock the row of a popular client. It contains no secret: the logout token is created on
 * delivery.
 */
@Entity({ name: 'logout_notice' })
@Index('logout_notice_by_client', ['clientId', 'nextAt'])
export class PendingLogoutNotice {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'logout_notice_pk' }) id: string;

  /** The `client_id` in the protocol. */
  @Column({ name: 'client_id', type: 'varchar', length: 64 }) clientId: string;

  @Column({ name: 'user_id', type: 'uuid' }) userId: string;

  /** The session id that the client knows. */
  @Column({ type: 'varchar', length: 64 }) sid: string;

  /** Whether all sessions of the user have ended, not only this one. */
  @Column({ name: 'all_sessions', type: 'boolean', default: false }) allSessions: boolean;

  @Column({ name: 'made_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) madeAt: Date;

  /** That have failed. */
  @Column({ type: 'smallint', default: 0 }) attempts: number;

  /** The end of the lease of an instance, or the time of the next attempt. */
  @Column({ name: 'next_at', type: 'timestamptz', precision: 3 }) nextAt: Date;
}
