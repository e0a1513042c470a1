import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ClientDevice } from '../../platform/http';
import { User } from '../../users';

@Entity({ name: 'session' })
@Check('session_counter_positive', 'counter > 0')
@Index('session_by_user', ['userId'])
@Index('session_by_purge', ['purgeAt'])
@Check('session_actor_complete', 'num_nonnulls(actor_id, actor_name, actor_session_id) IN (0, 3)')
@Index('session_by_actor', ['actorId'], { where: 'actor_id IS NOT NULL' })
@Index('session_by_actor_session', ['actorSessionId'], { where: 'actor_session_id IS NOT NULL' })
@Index('session_by_revocation', ['revokedAt'], { where: 'revoked_at IS NOT NULL' })
export class Session {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'session_pk' }) id: string;

  @ForeignKey(() => User, { name: 'session_user_fk', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  /**
   * Carried in the session's tokens as `<id>.<counter>`. A refresh increments it, so that older refresh tokens stop
   * working.
   */
  @Column({ type: 'int', default: 1 }) counter: number;

  @Column({ name: 'login_method', type: 'varchar', length: 80 }) loginMethod: string;

  /** false means that the cookies end with the browser. */
  @Column({ type: 'boolean' }) remember: boolean;

  @Column({ type: 'varchar', length: 45 }) ip: string;

  @Column({ name: 'user_agent', type: 'varchar', length: 512 }) userAgent: string;

  @Column({ type: 'jsonb' }) device: ClientDevice;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;

  /** The last authentication in this session: the login or a reauthentication. */
  @Column({ name: 'authenticated_at', type: 'timestamptz', precision: 3, default: () => 'now()' })
  authenticatedAt: Date;

  /** How the user authenticated: Authentication Method References (RFC 8176). */
  @Column({ type: 'jsonb', default: [] }) amr: string[];

  /** The last verification of a second factor in this session. */
  @Column({ name: 'second_factor_at', type: 'timestamptz', precision: 3, nullable: true }) secondFactorAt: Date | null;

  /** Not indexed, like `rotatedAt` and `expiresAt`, so that a refresh updates the row within its page. */
  @Column({ name: 'last_seen_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) lastSeenAt: Date;

  /** When the counter last changed. The grace period of the previous token starts here. */
  @Column({ name: 'rotated_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) rotatedAt: Date;

  /** The earlier of idle and absolute expiry. */
  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 }) expiresAt: Date;

  /** Rotation never changes it. */
  @Column({ name: 'absolute_expires_at', type: 'timestamptz', precision: 3 }) absoluteExpiresAt: Date;

  /**
   * When the cleanup job next checks the row: a day after its expiry, or after an expiry that refreshes have since
   * moved.
   */
  @Column({ name: 'purge_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) purgeAt: Date;

  @Column({ name: 'revoked_at', type: 'timestamptz', precision: 3, nullable: true }) revokedAt: Date | null;

  /** Who acts as the user in this session. Null, like the next two, in a session that the user has opened. */
  @ForeignKey(() => User, { name: 'session_actor_fk', onDelete: 'CASCADE' })
  @Column({ name: 'actor_id', type: 'uuid', nullable: true })
  actorId: string | null;

  /** The username of the actor at the start. */
  @Column({ name: 'actor_name', type: 'varchar', length: 50, nullable: true }) actorName: string | null;

  /** The actor's own session. The session ends with it. */
  @Column({ name: 'actor_session_id', type: 'uuid', nullable: true }) actorSessionId: string | null;
}
