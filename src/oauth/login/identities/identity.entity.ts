import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../../users';

/** A third-party account that logs in to an account of this service. */
@Entity({ name: 'user_identity' })
@Index('user_identity_by_user', ['userId', 'linkedAt', 'id'])
@Index('user_identity_by_provider', ['providerId'])
export class Identity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'user_identity_pk' }) id: string;

  @ForeignKey(() => User, { name: 'user_identity_user_fk', onDelete: 'CASCADE' })
  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  @Column({ name: 'provider_id', type: 'uuid' }) providerId: string;

  /** The name of the provider when the identity was last used. */
  @Column({ name: 'provider_name', type: 'varchar', length: 64 }) providerName: string;

  @Column({ name: 'provider_label', type: 'varchar', length: 100 }) providerLabel: string;

  /** Helps the owner to recognize it: a masked e-mail address, a nickname, or the ends of the subject. */
  @Column({ name: 'subject_hint', type: 'varchar', length: 254 }) subjectHint: string;

  @Column({ name: 'linked_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) linkedAt: Date;

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) lastUsedAt: Date;

  /** The first password reset after the linking. null: linked since the last reset. */
  @Column({ name: 'reviewed_at', type: 'timestamptz', precision: 3, nullable: true }) reviewedAt: Date | null;
}

/** An identifier of the identity at its provider, unique within the provider. */
@Entity({ name: 'user_identity_subject' })
@Index('user_identity_subject_by_identity', ['identityId'])
export class IdentitySubject {
  @PrimaryColumn({ name: 'provider_id', type: 'uuid', primaryKeyConstraintName: 'user_identity_subject_pk' })
  providerId: string;

  /** The issuer of the subject. A provider may have many, one for each tenant. */
  @PrimaryColumn({ type: 'varchar', length: 512, primaryKeyConstraintName: 'user_identity_subject_pk' })
  issuer: string;

  /** The path of the claim. Part of the key, because users may choose the values of other claims. */
  @PrimaryColumn({ type: 'varchar', length: 400, primaryKeyConstraintName: 'user_identity_subject_pk' })
  claim: string;

  @PrimaryColumn({ type: 'varchar', length: 255, primaryKeyConstraintName: 'user_identity_subject_pk' })
  subject: string;

  @ForeignKey(() => Identity, { name: 'user_identity_subject_fk', onDelete: 'CASCADE' })
  @Column({ name: 'identity_id', type: 'uuid' })
  identityId: string;
}
