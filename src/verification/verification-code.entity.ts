import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { CodePurpose, MessageChannel } from '../messaging';

/** The code for a purpose, channel and target. The next code for the same three replaces it. */
@Entity({ name: 'verification_code' })
@Index('verification_code_place_unique', ['purpose', 'channel', 'target'], { unique: true })
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

  /** Incremented before the code is verified. */
  @Column({ type: 'int', default: 0 }) attempts: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 }) expiresAt: Date;
}
