import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Organization } from './organization.entity';
import { roleNameOf } from './qualified-name';

@Entity({ name: 'role' })
@Unique('role_name_unique', ['scope', 'name', 'organizationId'])
@Unique('role_of_service_unique', ['id', 'ofService'])
@Check('role_of_service_known', 'of_service = (organization_id IS NULL)')
@Check('role_name_of_organization', "starts_with(name, 'organization/') = (organization_id IS NOT NULL)")
@Index('role_by_organization', ['organizationId'], { where: 'organization_id IS NOT NULL' })
@Index('role_of_service', ['scope', 'name'], { where: 'organization_id IS NULL' })
export class Role {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'role_pk' }) id: string;

  /** A label for lists. It does not limit the role's grants. */
  @Column({ type: 'varchar', length: 50 }) scope: string;

  /** Up to 50 characters. `RoleRepository` stores `storedRoleName`. */
  @Column({ type: 'varchar', length: 63, transformer: { from: roleNameOf, to: (stored: string) => stored } })
  name: string;

  @Column({ type: 'varchar', length: 500, default: '' }) description: string;

  /**
   * Null for a role of the service. A role of an organization holds there only, and only its members have it. Names are
   * unique in the service and in each organization: the constraint takes NULLs for equal.
   */
  @ForeignKey(() => Organization, { name: 'role_organization_fk', onDelete: 'CASCADE' })
  @Column({ name: 'organization_id', type: 'uuid', nullable: true })
  organizationId: string | null;

  /** Whether there is no organization, for the foreign key of `user_role`. Not loaded. */
  @Column({ name: 'of_service', type: 'boolean', default: true, select: false }) ofService?: boolean;

  /** Synced with the code at every start. */
  @Column({ name: 'is_system', type: 'boolean', default: false }) isSystem: boolean;

  /** Members must have a second factor. */
  @Column({ name: 'mfa_required', type: 'boolean', default: false }) mfaRequired: boolean;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) updatedAt: Date;
}
