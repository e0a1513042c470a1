import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Session } from '../../../session';

export type FlowMode = 'login' | 'bind';

/** A started login at a provider whose callback has not arrived yet. */
@Entity({ name: 'oauth_state' })
@Check(
  'oauth_state_mode_whole',
  `mode = 'login' AND user_id IS NULL AND session_id IS NULL OR mode = 'bind' AND user_id IS NOT NULL AND session_id IS NOT NULL`,
)
@Index('oauth_state_by_expiry', ['expiresAt'])
@Index('oauth_state_by_session', ['sessionId'], { where: 'session_id IS NOT NULL' })
export class AuthorizationRequest {
  /** SHA-256 of the `state` parameter. */
  @PrimaryColumn({ type: 'varchar', length: 43, primaryKeyConstraintName: 'oauth_state_pk' }) id: string;

  @Column({ name: 'provider_id', type: 'uuid' }) providerId: string;

  /** The version of the provider at the start. A callback is rejected after a change. */
  @Column({ name: 'provider_version', type: 'int' }) providerVersion: number;

  /** SHA-256 of the cookie of the browser that started the login. */
  @Column({ type: 'varchar', length: 43 }) browser: string;

  @Column({ type: 'varchar', length: 8 }) mode: FlowMode;

  /** The user to link, and the session that requested it. */
  @Column({ name: 'user_id', type: 'uuid', nullable: true }) userId: string | null;

  @ForeignKey(() => Session, { name: 'oauth_state_session_fk', onDelete: 'CASCADE' })
  @Column({ name: 'session_id', type: 'uuid', nullable: true })
  sessionId: string | null;

  /** The redirect URI of the authorization request, which the token request must repeat (RFC 6749 §4.1.3). */
  @Column({ name: 'redirect_uri', type: 'varchar', length: 1_024 }) redirectUri: string;

  /** The URL that the browser goes to at the end. */
  @Column({ name: 'return_to', type: 'varchar', length: 2_048 }) returnTo: string;

  @Column({ type: 'varchar', length: 43 }) nonce: string;

  /** Encrypted. */
  @Column({ name: 'code_verifier', type: 'text', nullable: true }) codeVerifier: string | null;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 }) expiresAt: Date;
}
