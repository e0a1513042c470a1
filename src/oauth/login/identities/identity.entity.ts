import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../../users';

/** A third-party account that logs in to one of ours. */
@Entity({ name: 'user_identity' })
@Index('user_identity_by_user', ['userId', 'linkedAt', 'id'])
@Index('user_identity_by_provider', ['providerId'])
export class Identity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'user_identity_pk' }) id: string;

  @ForeignKey(() => User, { name: 'user_identity_user_fk', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  @Column({ name: 'provider_id', type: 'uuid' }) providerId: string;

  /** As the provider was called when the identity was last used. */
  @Column({ name: 'provider_name', type: 'varchar', length: 64 }) providerName: string;

  @Column({ name: 'provider_label', type: 'varchar', length: 100 }) providerLabel: string;

  /** Helps the owner to recognise it: a masked e-mail, a nickname, or the ends of the subject. */
  @Column({ name: 'subject_hint', type: 'varchar', length: 254 }) subjectHint: string;

  @Column({ name: 'linked_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) linkedAt: Date;

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) lastUsedAt: Date;

  /** The first reset of the password at which it was linked; null: it was linked since the last one. */
  @Column({ name: 'reviewed_at', type: 'timestamptz', precision: 3, nullable: true }) reviewedAt: Date | null;
}

/** A name of the identity at its provider; no other identity of the provider may use it. */
@Entity({ name: 'user_identity_subject' })
@Index('user_identity_subject_by_identity', ['identityId'])
export class IdentitySubject {
  @PrimaryColumn({ name: 'provider_id', type: 'uuid', primaryKeyConstraintName: 'user_identity_subject_pk' })
  providerId: string;

  /** Who vouches for the subject: one provider may speak for many tenants. */
  @PrimaryColumn({ type: 'varchar', length: 512, primaryKeyConstraintName: 'user_identity_subject_pk' })
  issuer: string;

  /** The path of the profile that held it: users may choose the value of other paths. */
  @PrimaryColumn({ type: 'varchar', length: 400, primaryKeyConstraintName: 'user_identity_subject_pk' })
  claim: string;

  @PrimaryColumn({ type: 'varchar', length: 255, primaryKeyConstraintName: 'user_identity_subject_pk' })
  subject: string;

  @ForeignKey(() => Identity, { name: 'user_identity_subject_fk', onDelete: 'CASCADE' })
  @Column({ name: 'identity_id', type: 'uuid' })
  identityId: string;
}
