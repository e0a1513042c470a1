import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { ClientDevice } from '../platform/http';
import { User } from '../users';

/** A secret shared with an authenticator app (RFC 6238). It counts after a code has confirmed it. */
@Entity({ name: 'mfa_totp' })
@Index('mfa_totp_by_user', ['userId'])
@Index('mfa_totp_by_age', ['createdAt'], { where: 'confirmed_at IS NULL' })
export class TotpFactor {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'mfa_totp_pk' }) id: string;

  @ForeignKey(() => User, { name: 'mfa_totp_user_fk', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  /** Sealed, with the id as associated data. */
  @Column({ type: 'text' }) secret: string;

  @Column({ name: 'confirmed_at', type: 'timestamptz', precision: 3, nullable: true }) confirmedAt: Date | null;

  /** The time step of the last accepted code. It and all earlier steps are consumed. */
  @Column({ name: 'last_step', type: 'bigint', nullable: true }) lastStep: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, nullable: true }) lastUsedAt: Date | null;
}

/** The remaining recovery codes of a user. */
@Entity({ name: 'mfa_recovery_set' })
@Unique('mfa_recovery_set_user_unique', ['userId'])
export class RecoverySet {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'mfa_recovery_set_pk' }) id: string;

  @ForeignKey(() => User, { name: 'mfa_recovery_set_user_fk', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  /** Keyed digests. */
  @Column({ type: 'jsonb' }) codes: string[];

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, nullable: true }) lastUsedAt: Date | null;
}

/** A credential of WebAuthn level 3. */
@Entity({ name: 'mfa_passkey' })
@Unique('mfa_passkey_credential_unique', ['credentialId'])
@Index('mfa_passkey_by_user', ['userId'])
export class Passkey {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'mfa_passkey_pk' }) id: string;

  @ForeignKey(() => User, { name: 'mfa_passkey_user_fk', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  /** base64url, at most 1,023 bytes (WebAuthn §5.8.3). */
  @Column({ name: 'credential_id', type: 'varchar', length: 1_400 }) credentialId: string;

  /** The host it was created for. Only its pages can use the passkey. */
  @Column({ name: 'rp_id', type: 'varchar', length: 253 }) rpId: string;

  /** COSE, base64url. */
  @Column({ name: 'public_key', type: 'text' }) publicKey: string;

  /** The signature counter of the authenticator, or 0 if it does not count. */
  @Column({ type: 'bigint' }) counter: string;

  @Column({ type: 'jsonb' }) transports: string[];

  /** Whether it cannot leave the authenticator. */
  @Column({ name: 'is_device_bound', type: 'boolean' }) isDeviceBound: boolean;

  @Column({ name: 'is_backed_up', type: 'boolean' }) isBackedUp: boolean;

  @Column({ type: 'varchar', length: 50 }) name: string;

  /** The authenticator's model, or all zeros when it is not revealed. */
  @Column({ type: 'uuid' }) aaguid: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, nullable: true }) lastUsedAt: Date | null;
}

/** A browser that needs no second factor for `mfa.trusted_device_days` days. */
@Entity({ name: 'mfa_trusted_device' })
@Unique('mfa_trusted_device_token_unique', ['tokenHash'])
@Index('mfa_trusted_device_by_user', ['userId'])
@Index('mfa_trusted_device_by_age', ['createdAt'])
export class TrustedDevice {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'mfa_trusted_device_pk' }) id: string;

  @ForeignKey(() => User, { name: 'mfa_trusted_device_user_fk', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  @Column({ name: 'token_hash', type: 'varchar', length: 43 }) tokenHash: string;

  /** A password change ends the trust. */
  @Column({ name: 'password_version', type: 'int' }) passwordVersion: number;

  @Column({ type: 'varchar', length: 45 }) ip: string;

  @Column({ name: 'user_agent', type: 'varchar', length: 512 }) userAgent: string;

  @Column({ type: 'jsonb' }) device: ClientDevice;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, nullable: true }) lastUsedAt: Date | null;
}

/** A login with a correct first factor that waits for the second. */
@Entity({ name: 'mfa_pending_login' })
@Unique('mfa_pending_login_token_unique', ['tokenHash'])
@Index('mfa_pending_login_by_user', ['userId'])
@Index('mfa_pending_login_by_expiry', ['expiresAt'])
export class MfaSession {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'mfa_pending_login_pk' }) id: string;

  @ForeignKey(() => User, { name: 'mfa_pending_login_user_fk', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  @Column({ name: 'token_hash', type: 'varchar', length: 43 }) tokenHash: string;

  /** Hash of the secret in the browser's cookie. */
  @Column({ name: 'browser_hash', type: 'varchar', length: 43 }) browserHash: string;

  /** A password change in the meantime ends the login. */
  @Column({ name: 'password_version', type: 'int' }) passwordVersion: number;

  @Column({ name: 'login_method', type: 'varchar', length: 80 }) loginMethod: string;

  /** How the first factor was verified (RFC 8176). */
  @Column({ type: 'jsonb' }) amr: string[];

  @Column({ type: 'boolean' }) remember: boolean;

  /** Sealed: work to do when the second factor is verified. */
  @Column({ type: 'text', nullable: true }) deferred: string | null;

  @Column({ type: 'int', default: 0 }) attempts: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 }) expiresAt: Date;
}

/** A challenge for an authenticator to sign. The first response consumes it, right or wrong. */
@Entity({ name: 'mfa_passkey_challenge' })
@Index('mfa_passkey_challenge_by_expiry', ['expiresAt'])
export class PasskeyChallenge {
  @PrimaryColumn({
    name: 'challenge_hash',
    type: 'varchar',
    length: 43,
    primaryKeyConstraintName: 'mfa_passkey_challenge_pk',
  })
  challengeHash: string;

  @Column({ type: 'varchar', length: 16 }) ceremony: string;

  /** The session or MFA session that it was created for. Empty means any login. */
  @Column({ name: 'bound_to', type: 'varchar', length: 64 }) boundTo: string;

  @Column({ name: 'rp_id', type: 'varchar', length: 253 }) rpId: string;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 }) expiresAt: Date;
}
