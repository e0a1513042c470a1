import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A third-party login without an account. It stores the profile until the user chooses an account to link. */
@Entity({ name: 'oauth_bind_ticket' })
@Index('oauth_bind_ticket_by_expiry', ['expiresAt'])
export class AccountLinkToken {
  /** SHA-256 of the temp token. */
  @PrimaryColumn({ type: 'varchar', length: 43, primaryKeyConstraintName: 'oauth_bind_ticket_pk' }) id: string;

  @Column({ name: 'provider_id', type: 'uuid' }) providerId: string;

  @Column({ name: 'provider_version', type: 'int' }) providerVersion: number;

  @Column({ name: 'provider_name', type: 'varchar', length: 64 }) providerName: string;

  /** SHA-256 of the cookie of the browser that logged in at the provider. */
  @Column({ type: 'varchar', length: 43 }) browser: string;

  /** Encrypted JSON. */
  @Column({ type: 'text' }) profile: string;

  @Column({ type: 'int', default: 0 }) failures: number;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 }) expiresAt: Date;
}
