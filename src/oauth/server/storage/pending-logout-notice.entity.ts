import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A logout that an application has yet to be notified of. Without foreign keys: applications are notified of deleted
 * users,
 * too, and every logout would lock a popular client's row. It holds no secret: tokens are created on delivery.
 */
@Entity({ name: 'logout_notice' })
@Index('logout_notice_by_client', ['clientId', 'nextAt'])
export class PendingLogoutNotice {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'logout_notice_pk' }) id: string;

  /** By which the client calls itself in the protocol. */
  @Column({ name: 'client_id', type: 'varchar', length: 64 }) clientId: string;

  @Column({ name: 'user_id', type: 'uuid' }) userId: string;

  /** The session, as the client knows it. */
  @Column({ type: 'varchar', length: 64 }) sid: string;

  /** All sessions of the user have ended, not this one alone. */
  @Column({ name: 'all_sessions', type: 'boolean', default: false }) allSessions: boolean;

  @Column({ name: 'made_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) madeAt: Date;

  /** How often it was taken up after the first tries, which are those of the process that ended the session. */
  @Column({ type: 'smallint', default: 0 }) attempts: number;

  /** Until then it is in the hands of the instance that took it last. */
  @Column({ name: 'next_at', type: 'timestamptz', precision: 3 }) nextAt: Date;
}
