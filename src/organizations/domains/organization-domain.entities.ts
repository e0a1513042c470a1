import { Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { Organization, Role } from '../../rbac';
import { User } from '../../users';

/** A domain that an organization claims. Several may claim one; one of them proves it. */
@Entity({ name: 'organization_domain' })
@Index('organization_domain_owner_unique', ['domain'], { unique: true, where: 'verified_at IS NOT NULL' })
@Index('organization_domain_by_setter', ['ruleSetBy'])
export class OrganizationDomain {
  @ForeignKey(() => Organization, { name: 'organization_domain_organization_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'organization_id', type: 'uuid', primaryKeyConstraintName: 'organization_domain_pk' })
  organizationId: string;

  /** Lower case, in ASCII (RFC 5890). */
  @PrimaryColumn({ type: 'varchar', length: 253, primaryKeyConstraintName: 'organization_domain_pk' })
  domain: string;

  /** The value of the TXT record that proves the domain. No secret, because DNS is public. */
  @Column({ name: 'txt_value', type: 'varchar', length: 100 }) txtValue: string;

  /** Null while the domain is not proved. */
  @Column({ name: 'verified_at', type: 'timestamptz', precision: 3, nullable: true }) verifiedAt: Date | null;

  /** Whether users who verify an e-mail address of the domain become members. */
  @Column({ name: 'members_join', type: 'boolean', default: false }) membersJoin: boolean;

  /** The user who last set `membersJoin` or the roles. The rule gives what this user may give there when another one joins. */
  @ForeignKey(() => User, { name: 'organization_domain_setter_fk', onDelete: 'SET NULL' })
  @Column({ name: 'rule_set_by', type: 'uuid', nullable: true })
  ruleSetBy: string | null;

  /** Whether this user is disabled. Nobody joins then. */
  @VirtualColumn({
    type: 'boolean',
    query: (domain) =>
      `SELECT EXISTS (SELECT 1 FROM user_account AS setter WHERE setter.id = ${domain}.rule_set_by AND setter.status <> 'active')`,
  })
  isSuspended: boolean;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;
}

/** A role that users get who become members by the domain. */
@Entity({ name: 'organization_domain_role' })
@Index('organization_domain_role_by_role', ['roleId'])
@ForeignKey(() => OrganizationDomain, ['organizationId', 'domain'], ['organizationId', 'domain'], {
  name: 'organization_domain_role_domain_fk',
  onDelete: 'CASCADE',
})
export class OrganizationDomainRole {
  @PrimaryColumn({ name: 'organization_id', type: 'uuid', primaryKeyConstraintName: 'organization_domain_role_pk' })
  organizationId: string;

  @PrimaryColumn({ type: 'varchar', length: 253, primaryKeyConstraintName: 'organization_domain_role_pk' })
  domain: string;

  @ForeignKey(() => Role, { name: 'organization_domain_role_role_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'role_id', type: 'uuid', primaryKeyConstraintName: 'organization_domain_role_pk' })
  roleId: string;
}

/**
 * A user who is about to become a member by a domain. Stored with the proof of the address, and deleted with the membership.
 * No foreign key, because an address may be proved before the account is stored.
 */
@Entity({ name: 'organization_domain_join' })
@Index('organization_domain_join_by_time', ['attemptedAt'])
export class OrganizationDomainJoin {
  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'organization_domain_join_pk' })
  userId: string;

  @PrimaryColumn({ type: 'varchar', length: 253, primaryKeyConstraintName: 'organization_domain_join_pk' })
  domain: string;

  /** The one that had proved the domain. */
  @PrimaryColumn({ name: 'organization_id', type: 'uuid', primaryKeyConstraintName: 'organization_domain_join_pk' })
  organizationId: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;

  /** When it was last tried; before the first repetition, the time of the proof. */
  @Column({ name: 'attempted_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) attemptedAt: Date;
}
