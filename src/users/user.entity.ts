import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AttributeValues } from './attributes';

export type UserStatus = 'active' | 'disabled';

/** Users per search segment, in order of creation. Must match the migration. */
export const SEARCH_SEGMENT_SIZE = 4_096;

@Entity({ name: 'user_account' })
@Check('user_account_status_known', `status IN ('active', 'disabled')`)
@Check('user_account_email_whole', `(email IS NULL) = (email_key IS NULL)`)
@Check('user_account_email_proof', `email IS NOT NULL OR NOT email_verified`)
@Check('user_account_phone_proof', `phone IS NOT NULL OR NOT phone_verified`)
@Check('user_account_former_username_whole', `(former_username IS NULL) = (former_username_key IS NULL)`)
@Index('user_account_username_unique', { synchronize: false })
@Index('user_account_nickname_prefix', { synchronize: false })
@Index('user_account_by_status', ['status', 'id'])
@Index('user_account_deletions', ['deletionDueAt', 'id'], { where: 'deletion_due_at IS NOT NULL' })
@Index('user_account_search', { synchronize: false })
@Index('user_account_email_unique', ['emailKey'], { unique: true, where: 'email_key IS NOT NULL' })
@Index('user_account_phone_unique', ['phone'], { unique: true, where: 'phone IS NOT NULL' })
@Index('user_account_former_username_unique', ['formerUsernameKey'], {
  unique: true,
  where: 'former_username_key IS NOT NULL',
})
@Index('user_account_by_former_username', ['searchSegment', 'formerUsernameKey'], {
  where: 'former_username_key IS NOT NULL',
})
export class User {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'user_account_pk' }) id: string;

  /**
   * As typed at registration. Unique ignoring case. With collation C one index serves equality, prefix search and
   * ordering, and the lower case of `I` does not depend on the locale.
   */
  @Column({ type: 'varchar', length: 50, collation: 'C' }) username: string;

  /** The name with which the user logged in at the system that an import took the account from. null: the username. */
  @Column({ name: 'former_username', type: 'varchar', length: 254, nullable: true }) formerUsername: string | null;

  /** The name for comparison, by `formerUsernameKey`. Unique among former names; any present name wins. */
  @Column({
    name: 'former_username_key',
    type: 'varchar',
    length: 254,
    collation: 'C',
    nullable: true,
    select: false,
  })
  formerUsernameKey: string | null;

  @Column({ type: 'varchar', length: 50, default: '' }) nickname: string;

  @Column({ type: 'varchar', length: 500, default: '' }) avatar: string;

  @Column({ type: 'varchar', length: 254, nullable: true }) email: string | null;

  /** The address for comparison: lower case, with the domain in ASCII. */
  @Column({ name: 'email_key', type: 'varchar', length: 254, nullable: true }) emailKey: string | null;

  /** Only a verified contact can log in, reset a password or match a third-party account. */
  @Column({ name: 'email_verified', type: 'boolean', default: false }) emailVerified: boolean;

  /** E.164. */
  @Column({ type: 'varchar', length: 16, nullable: true }) phone: string | null;

  @Column({ name: 'phone_verified', type: 'boolean', default: false }) phoneVerified: boolean;

  @Column({ type: 'varchar', length: 8, nullable: true }) locale: string | null;

  @Column({ type: 'varchar', length: 16, default: 'active' }) status: UserStatus;

  /** PHC string. null means the account has no password. */
  @Column({ name: 'password_hash', type: 'text', nullable: true }) passwordHash: string | null;

  /**
   * Incremented for every new password, but not for a rehash of the same one. Invalidates proofs bound to an earlier
   * password.
   */
  @Column({ name: 'password_version', type: 'int', default: 1 }) passwordVersion: number;

  @Column({ name: 'must_change_password', type: 'boolean', default: false }) mustChangePassword: boolean;

  /** The version of the terms that the user accepted last. null means none. */
  @Column({ name: 'terms_version', type: 'varchar', length: 50, nullable: true }) termsVersion: string | null;

  @Column({ name: 'terms_accepted_at', type: 'timestamptz', precision: 3, nullable: true })
  termsAcceptedAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) updatedAt: Date;

  /** Searches walk the segments, newest first. Only the database sets it. */
  @Column({
    name: 'search_segment',
    type: 'int',
    default: () => `(nextval('user_account_search_segment_seq') / ${SEARCH_SEGMENT_SIZE})`,
    insert: false,
    update: false,
    select: false,
  })
  searchSegment: number;

  @Column({ name: 'last_login_at', type: 'timestamptz', precision: 3, nullable: true }) lastLoginAt: Date | null;

  /** Values of the attributes that operators define, also of deleted ones for a day: see `UserAttributesService`. */
  @Column({ type: 'jsonb', default: {} }) attributes: AttributeValues;

  /** When the account is deleted at the request of its owner. null: it is not. */
  @Column({ name: 'deletion_due_at', type: 'timestamptz', precision: 3, nullable: true }) deletionDueAt: Date | null;

  /** When the owner was last told of the deletion. */
  @Column({ name: 'deletion_reminded_at', type: 'timestamptz', precision: 3, nullable: true, select: false })
  deletionRemindedAt: Date | null;
}
