import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { PermissionLevel } from '.';

/** A permission of another service, added by an operator. */
@Entity({ name: 'catalogue_entry' })
@Check('catalogue_entry_level_known', 'required_level BETWEEN 1 AND 7')
export class CatalogueEntry {
  @PrimaryColumn({ type: 'varchar', length: 50, primaryKeyConstraintName: 'catalogue_entry_pk' }) scope: string;

  /** `resource:action` */
  @PrimaryColumn({
    name: 'permission_id',
    type: 'varchar',
    length: 101,
    primaryKeyConstraintName: 'catalogue_entry_pk',
  })
  permissionId: string;

  /** Only for an action without a standard rank. null means 7. */
  @Column({ name: 'required_level', type: 'smallint', nullable: true }) requiredLevel: PermissionLevel | null;

  @Column({ type: 'varchar', length: 500, default: '' }) description: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;
}
