import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { OrganizationSettings } from './organization-settings';

/** A customer or a company with its members, roles and groups. */
@Entity({ name: 'organization' })
@Unique('organization_slug_unique', ['slug'])
@Index('organization_by_name', ['nameKey', 'id'])
export class Organization {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'organization_pk' }) id: string;

  /** Names the organization in addresses and claims. */
  @Column({ type: 'varchar', length: 50, collation: 'C' }) slug: string;

  @Column({ type: 'varchar', length: 100 }) name: string;

  /** The name for search and order. Made by JavaScript, because the lower case of the database depends on its locale. */
  @Column({ name: 'name_key', type: 'varchar', length: 300, collation: 'C' }) nameKey: string;

  /** An https URL, or empty. */
  @Column({ type: 'varchar', length: 2048, default: '' }) logo: string;

  @Column({ type: 'jsonb', default: {} }) attributes: Readonly<Record<string, string>>;

  /** Members need a second factor in requests within the organization. */
  @Column({ name: 'mfa_required', type: 'boolean', default: false }) mfaRequired: boolean;

  /** What the organization shows and accepts instead of the service's settings. */
  @Column({ type: 'jsonb', default: {} }) settings: OrganizationSettings;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) updatedAt: Date;
}
