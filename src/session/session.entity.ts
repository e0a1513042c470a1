import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ClientDevice } from '../platform/http';
import { User } from '../users';

@Entity({ name: 'session' })
@Check('session_counter_positive', 'counter > 0')
@Index('session_by_user', ['userId'])
@Index('session_by_purge', ['purgeAt'])
@Index('session_by_revocation', ['revokedAt'], { where: 'revoked_at IS NOT NULL' })
export class Session {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'session_pk' }) id: string;

  @ForeignKey(() => User, { name: 'session_user_fk', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  /** Carried in the session's tokens as `<id>.<counter>`; refreshing raises it, so an older refresh token stops working. */
  @Column({ type: 'int', default: 1 }) counter: number;

  @Column({ name: 'login_method', type: 'varchar', length: 80 }) loginMethod: string;

  /** false: the cookies end with the browser. */
  @Column({ type: 'boolean' }) remember: boolean;

  @Column({ type: 'varchar', length: 45 }) ip: string;

  @Column({ name: 'user_agent', type: 'varchar', length: 512 }) userAgent: string;

  @Column({ type: 'jsonb' }) device: ClientDevice;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;

  /** The last proof of identity in this session: the login, or a reauthentication. */
  @Column({ name: 'authenticated_at', type: 'timestamptz', precision: 3, default: () => 'now()' })
  authenticatedAt: Date;

  /** How the user was authenticated: Authentication Method References (RFC 8176). */
  @Column({ type: 'jsonb', default: [] }) amr: string[];

  /** The last proof of a second factor in this session. */
  @Column({ name: 'second_factor_at', type: 'timestamptz', precision: 3, nullable: true }) secondFactorAt: Date | null;

  /** As `rotatedAt` and `expiresAt` in no index, so that a refresh is written within the row's page. */
  @Column({ name: 'last_seen_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) lastSeenAt: Date;

  /** When the counter last moved; the grace for its predecessor runs from here. */
  @Column({ name: 'rotated_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) rotatedAt: Date;

  /** The nearer of idle and absolute end. */
  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 }) expiresAt: Date;

  /** Rotation never moves it. */
  @Column({ name: 'absolute_expires_at', type: 'timestamptz', precision: 3 }) absoluteExpiresAt: Date;

  /** When the cleaner looks at it next: a day after its end, or after what was its end before refreshes moved that. */
  @Column({ name: 'purge_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) purgeAt: Date;

  @Column({ name: 'revoked_at', type: 'timestamptz', precision: 3, nullable: true }) revokedAt: Date | null;
}
