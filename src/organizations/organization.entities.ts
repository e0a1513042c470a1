import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../users';
import { Role, Organization } from '../rbac';

@Entity({ name: 'organization_member' })
@Index('organization_member_by_user', ['userId', 'organizationId'])
export class OrganizationMember {
  @ForeignKey(() => Organization, { name: 'organization_member_organization_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'organization_id', type: 'uuid', primaryKeyConstraintName: 'organization_member_pk' })
  organizationId: string;

  @ForeignKey(() => User, { name: 'organization_member_user_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'organization_member_pk' })
  userId: string;

  @Column({ name: 'joined_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) joinedAt: Date;
}

/** A user who was removed from an organization. Nothing but an act of the organization makes the user a member again. */
@Entity({ name: 'organization_removal' })
@Index('organization_removal_by_user', ['userId'])
export class OrganizationRemoval {
  @ForeignKey(() => Organization, { name: 'organization_removal_organization_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'organization_id', type: 'uuid', primaryKeyConstraintName: 'organization_removal_pk' })
  organizationId: string;

  @ForeignKey(() => User, { name: 'organization_removal_user_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'organization_removal_pk' })
  userId: string;

  @Column({ name: 'removed_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) removedAt: Date;
}

/** A slug that an organization had, which others may not take at once. No foreign key: it outlives the organization. */
@Entity({ name: 'organization_former_slug' })
@Index('organization_former_slug_by_organization', ['organizationId'])
@Index('organization_former_slug_by_time', ['releasedAt'])
export class OrganizationFormerSlug {
  @PrimaryColumn({
    type: 'varchar',
    length: 50,
    collation: 'C',
    primaryKeyConstraintName: 'organization_former_slug_pk',
  })
  slug: string;

  @Column({ name: 'organization_id', type: 'uuid' }) organizationId: string;

  @Column({ name: 'released_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) releasedAt: Date;
}

/** A role that a member has in one organization only. */
@Entity({ name: 'organization_member_role' })
@Index('organization_member_role_by_role', ['roleId', 'organizationId', 'userId'])
@ForeignKey(() => OrganizationMember, ['organizationId', 'userId'], ['organizationId', 'userId'], {
  name: 'organization_member_role_member_fk',
  onDelete: 'CASCADE',
})
export class OrganizationMemberRole {
  @PrimaryColumn({ name: 'organization_id', type: 'uuid', primaryKeyConstraintName: 'organization_member_role_pk' })
  organizationId: string;

  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'organization_member_role_pk' })
  userId: string;

  @ForeignKey(() => Role, { name: 'organization_member_role_role_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'role_id', type: 'uuid', primaryKeyConstraintName: 'organization_member_role_pk' })
  roleId: string;
}

/** A direct grant that a member has in one organization only. */
@Entity({ name: 'organization_member_grant' })
@Check('organization_member_grant_level_known', 'level BETWEEN 1 AND 7')
@ForeignKey(() => OrganizationMember, ['organizationId', 'userId'], ['organizationId', 'userId'], {
  name: 'organization_member_grant_member_fk',
  onDelete: 'CASCADE',
})
export class OrganizationMemberGrant {
  @PrimaryColumn({ name: 'organization_id', type: 'uuid', primaryKeyConstraintName: 'organization_member_grant_pk' })
  organizationId: string;

  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'organization_member_grant_pk' })
  userId: string;

  @PrimaryColumn({ type: 'varchar', length: 50, primaryKeyConstraintName: 'organization_member_grant_pk' })
  scope: string;

  /** `resource:action` */
  @PrimaryColumn({
    name: 'permission_id',
    type: 'varchar',
    length: 101,
    primaryKeyConstraintName: 'organization_member_grant_pk',
  })
  permissionId: string;

  @Column({ type: 'smallint' }) level: number;
}

/** A member by an act of an administrator of the organization only, until the user accepts. It counts nowhere. */
@Entity({ name: 'organization_pending_member' })
@Index('organization_pending_member_by_user', ['userId', 'organizationId'])
@Index('organization_pending_member_by_adder', ['addedBy'])
export class OrganizationPendingMember {
  @ForeignKey(() => Organization, { name: 'organization_pending_member_organization_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({
    name: 'organization_id',
    type: 'uuid',
    primaryKeyConstraintName: 'organization_pending_member_pk',
  })
  organizationId: string;

  @ForeignKey(() => User, { name: 'organization_pending_member_user_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'organization_pending_member_pk' })
  userId: string;

  /** Who gives the roles. Null after the account was deleted. */
  @ForeignKey(() => User, { name: 'organization_pending_member_adder_fk', onDelete: 'SET NULL' })
  @Column({ name: 'added_by', type: 'uuid', nullable: true })
  addedBy: string | null;

  @Column({ name: 'added_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) addedAt: Date;
}

/** A role that a pending member gets with the acceptance. */
@Entity({ name: 'organization_pending_member_role' })
@Index('organization_pending_member_role_by_role', ['roleId'])
@ForeignKey(() => OrganizationPendingMember, ['organizationId', 'userId'], ['organizationId', 'userId'], {
  name: 'organization_pending_member_role_member_fk',
  onDelete: 'CASCADE',
})
export class OrganizationPendingMemberRole {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'uuid',
    primaryKeyConstraintName: 'organization_pending_member_role_pk',
  })
  organizationId: string;

  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'organization_pending_member_role_pk' })
  userId: string;

  @ForeignKey(() => Role, { name: 'organization_pending_member_role_role_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'role_id', type: 'uuid', primaryKeyConstraintName: 'organization_pending_member_role_pk' })
  roleId: string;
}
