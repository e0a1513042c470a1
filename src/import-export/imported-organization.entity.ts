import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Organization } from '../rbac';

/** Maps an organization of another system to the one that the import created. Imports join users to no other ones. */
@Entity({ name: 'imported_organization' })
@Index('imported_organization_by_organization', ['organizationId'])
export class ImportedOrganization {
  @PrimaryColumn({ type: 'varchar', length: 16, primaryKeyConstraintName: 'imported_organization_pk' }) source: string;

  @PrimaryColumn({
    name: 'source_id',
    type: 'varchar',
    length: 255,
    primaryKeyConstraintName: 'imported_organization_pk',
  })
  sourceId: string;

  @ForeignKey(() => Organization, { name: 'imported_organization_organization_fk', onDelete: 'CASCADE' })
  @Column({ name: 'organization_id', type: 'uuid' })
  organizationId: string;

  @Column({ name: 'imported_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) importedAt: Date;
}
