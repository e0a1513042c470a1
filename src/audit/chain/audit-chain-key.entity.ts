import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that signs roots. Kept as long as the roots. */
@Entity({ name: 'audit_chain_key' })
export class AuditChainKey {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'audit_chain_key_pk' }) id: string;

  /** PKCS #8 PEM, sealed. */
  @Column({ name: 'private_key', type: 'text' }) privateKey: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;
}
