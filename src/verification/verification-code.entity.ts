import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { CodePurpose, MessageChannel } from '../messaging';

/**
 * A code for a purpose, channel and target. The browser or session that requested it can use it until it requests the
 * next one; without its cookie, only the newest code for the three can be used.
 */
@Entity({ name: 'verification_code' })
@Index('verification_code_by_place', ['purpose', 'channel', 'target', 'createdAt'])
@Index('verification_code_by_user', ['userId'])
@Index('verification_code_by_expiry', ['expiresAt'])
export class VerificationCode {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'verification_code_pk' }) id: string;

  @Column({ type: 'varchar', length: 16 }) purpose: CodePurpose;

  @Column({ type: 'varchar', length: 8 }) channel: MessageChannel;

  /** The address in lower case, or the phone number in E.164. */
  @Column({ type: 'varchar', length: 254 }) target: string;

  /** A keyed digest of the code and everything it is bound to. */
  @Column({ type: 'varchar', length: 128 }) digest: string;

  /** The user that the code is for, if the purpose concerns an account. */
  @Column({ name: 'user_id', type: 'uuid', nullable: true }) userId: string | null;

  /** For `bind`: the session that requested the code. */
  @Column({ name: 'session_id', type: 'uuid', nullable: true }) sessionId: string | null;

  /** Hash of the secret in the cookie of the browser that requested the code. */
  @Column({ type: 'varchar', length: 43, nullable: true }) browser: string | null;

  /** Attempts by the browser or session that requested the code. Incremented before the code is verified. */
  @Column({ type: 'int', default: 0 }) attempts: number;

  /** Attempts by others. */
  @Column({ name: 'shared_attempts', type: 'int', default: 0 }) sharedAttempts: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 }) expiresAt: Date;
}
