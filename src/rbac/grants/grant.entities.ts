import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../users';
import { Role } from './role.entity';

@Entity({ name: 'role_grant' })
@Check('role_grant_level_known', 'level BETWEEN 1 AND 7')
export class RoleGrant {
  @ForeignKey(() => Role, { name: 'role_grant_role_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'role_id', type: 'uuid', primaryKeyConstraintName: 'role_grant_pk' })
  roleId: string;

  @PrimaryColumn({ type: 'varchar', length: 50, primaryKeyConstraintName: 'role_grant_pk' }) scope: string;

  /** `resource:action` */
  @PrimaryColumn({ name: 'permission_id', type: 'varchar', length: 101, primaryKeyConstraintName: 'role_grant_pk' })
  permissionId: string;

  @Column({ type: 'smallint' }) level: number;
}

@Entity({ name: 'user_grant' })
@Check('user_grant_level_known', 'level BETWEEN 1 AND 7')
export class UserGrant {
  @ForeignKey(() => User, { name: 'user_grant_user_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'user_grant_pk' })
  userId: string;

  @PrimaryColumn({ type: 'varchar', length: 50, primaryKeyConstraintName: 'user_grant_pk' }) scope: string;

  @PrimaryColumn({ name: 'permission_id', type: 'varchar', length: 101, primaryKeyConstraintName: 'user_grant_pk' })
  permissionId: string;

  @Column({ type: 'smallint' }) level: number;
}

@Entity({ name: 'user_role' })
@Index('user_role_by_role', ['roleId', 'userId'])
@Check('user_role_of_service', 'role_of_service')
@ForeignKey(() => Role, ['roleId', 'roleOfService'], ['id', 'ofService'], {
  name: 'user_role_service_role_fk',
  onDelete: 'CASCADE',
})
export class UserRole {
  @ForeignKey(() => User, { name: 'user_role_user_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'user_role_pk' })
  userId: string;

  @PrimaryColumn({ name: 'role_id', type: 'uuid', primaryKeyConstraintName: 'user_role_pk' })
  roleId: string;

  /** Always true: these roles hold everywhere, so they are roles of the service. */
  @Column({ name: 'role_of_service', type: 'boolean', default: true }) roleOfService: boolean;

  @Column({ name: 'granted_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) grantedAt: Date;
}
