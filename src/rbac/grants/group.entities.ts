import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../users';
import { Organization } from './organization.entity';
import { Role } from './role.entity';

/** A set of users. Its members hold the roles of the group and of those above it. */
@Entity({ name: 'user_group' })
@Check('user_group_depth', 'cardinality(path) BETWEEN 1 AND 6')
@Index('user_group_name_unique', ['nameKey'], { unique: true, where: 'organization_id IS NULL' })
@Index('user_group_organization_name_unique', ['organizationId', 'nameKey'], { unique: true })
@Index('user_group_by_parent', ['parentId'])
export class Group {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'user_group_pk' }) id: string;

  @Column({ type: 'varchar', length: 100 }) name: string;

  /**
   * `groupNameKey` of the name. Unique in the service, because tokens name groups without their path, and in each
   * organization. Made by JavaScript, because the lower case of the database depends on its locale.
   */
  @Column({ name: 'name_key', type: 'varchar', length: 300, collation: 'C' }) nameKey: string;

  @Column({ type: 'varchar', length: 500, default: '' }) description: string;

  /** Null for a group at the top. */
  @ForeignKey(() => Group, { name: 'user_group_parent_fk' })
  @Column({ name: 'parent_id', type: 'uuid', nullable: true })
  parentId: string | null;

  /**
   * Null for a group of the service. The roles of a group of an organization hold in that organization only. A group and the
   * groups above it belong to the same one.
   */
  @ForeignKey(() => Organization, { name: 'user_group_organization_fk', onDelete: 'CASCADE' })
  @Column({ name: 'organization_id', type: 'uuid', nullable: true })
  organizationId: string | null;

  /** The ids from the group at the top to this one, so that a check finds the groups above without recursion. */
  @Column({ type: 'uuid', array: true }) path: readonly string[];

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) updatedAt: Date;
}

@Entity({ name: 'user_group_member' })
@Index('user_group_member_by_group', ['groupId', 'userId'])
export class GroupMember {
  @ForeignKey(() => User, { name: 'user_group_member_user_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'user_group_member_pk' })
  userId: string;

  @ForeignKey(() => Group, { name: 'user_group_member_group_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'group_id', type: 'uuid', primaryKeyConstraintName: 'user_group_member_pk' })
  groupId: string;
}

@Entity({ name: 'user_group_role' })
@Index('user_group_role_by_role', ['roleId', 'groupId'])
export class GroupRole {
  @ForeignKey(() => Group, { name: 'user_group_role_group_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'group_id', type: 'uuid', primaryKeyConstraintName: 'user_group_role_pk' })
  groupId: string;

  @ForeignKey(() => Role, { name: 'user_group_role_role_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'role_id', type: 'uuid', primaryKeyConstraintName: 'user_group_role_pk' })
  roleId: string;
}
