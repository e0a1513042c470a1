import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../../users';

/** The state of the protocol between requests: codes, tokens, grants, library sessions, interactions. */
@Entity({ name: 'oauth_artifact' })
@Index('oauth_artifact_by_user', ['userId', 'clientId'])
@Index('oauth_artifact_by_grant', ['grantId'], { where: 'grant_id IS NOT NULL' })
@Index('oauth_artifact_by_client', ['clientId'])
@Index('oauth_artifact_by_session', ['sessionId', 'model'])
@Index('oauth_artifact_by_expiry', ['expiresAt'])
export class OidcModel {
  @PrimaryColumn({ type: 'varchar', length: 32, primaryKeyConstraintName: 'oauth_artifact_pk' }) model: string;

  /** SHA-256 of the code, token or cookie. The row does not contain the value itself. */
  @PrimaryColumn({ type: 'varchar', length: 64, primaryKeyConstraintName: 'oauth_artifact_pk' }) id: string;

  @Column({ type: 'jsonb' }) payload: object;

  @Column({ name: 'grant_id', type: 'varchar', length: 64, nullable: true }) grantId: string | null;

  @Column({ name: 'client_id', type: 'varchar', length: 64, nullable: true }) clientId: string | null;

  @ForeignKey(() => User, { name: 'oauth_artifact_user_fk', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid', nullable: true })
  userId: string | null;

  /** The session that created it. Offline access outlives the session's row. */
  @Column({ name: 'session_id', type: 'uuid', nullable: true }) sessionId: string | null;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 }) expiresAt: Date;

  @Column({ name: 'consumed_at', type: 'timestamptz', precision: 3, nullable: true }) consumedAt: Date | null;
}
