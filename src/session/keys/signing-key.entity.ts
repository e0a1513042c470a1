import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { KeyAlgorithm, PublicJwk } from '../../platform/crypto';

/** Session tokens and OAuth tokens use separate keys, so that neither verifies as the other. */
export type KeyUsage = 'session' | 'oauth';

/** A key pair of the service. The private key is sealed, and the JWKS (RFC 7517) serves the public key. */
@Entity({ name: 'signing_key' })
@Index('signing_key_by_usage', { synchronize: false })
export class SigningKey {
  /** The `kid` of the tokens it signs. */
  @PrimaryColumn({ type: 'varchar', length: 64, primaryKeyConstraintName: 'signing_key_pk' }) id: string;

  @Column({ type: 'varchar', length: 16 }) usage: KeyUsage;

  @Column({ type: 'varchar', length: 16 }) algorithm: KeyAlgorithm;

  @Column({ name: 'public_jwk', type: 'jsonb' }) publicJwk: PublicJwk;

  /** PKCS #8 PEM, sealed. */
  @Column({ name: 'private_key', type: 'text' }) privateKey: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;

  /** Later than the publication, so that every instance knows the key before it meets a signature of it. */
  @Column({ name: 'signs_from', type: 'timestamptz', precision: 3 }) signsFrom: Date;

  @Column({ name: 'retired_at', type: 'timestamptz', precision: 3, nullable: true }) retiredAt: Date | null;
}
