import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

@Entity({ name: 'role' })
@Unique('role_name_unique', ['scope', 'name'])
export class Role {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'role_pk' }) id: string;

  /** A label for lists. It does not limit the role's grants. */
  @Column({ type: 'varchar', length: 50 }) scope: string;

  @Column({ type: 'varchar', length: 50 }) name: string;

  @Column({ type: 'varchar', length: 500, default: '' }) description: string;

  /** Synced with the code at every start. */
  @Column({ name: 'is_system', type: 'boolean', default: false }) isSystem: boolean;

  /** Members must have a second factor. */
  @Column({ name: 'mfa_required', type: 'boolean', default: false }) mfaRequired: boolean;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) updatedAt: Date;
}
