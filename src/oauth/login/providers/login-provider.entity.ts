import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Organization } from '../../../rbac';
import { ClaimMapping } from './preset';

/** A configured login provider. For null, and for names missing in `mapping`, the template's value applies. */
@Entity({ name: 'oauth_provider' })
export class LoginProvider {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'oauth_provider_pk' }) id: string;

  @Index('oauth_provider_name_unique', { unique: true })
  @Column({ type: 'varchar', length: 50 })
  name: string;

  @Column({ type: 'varchar', length: 100 }) label: string;

  /** Never changes, because the template defines how users are identified. */
  @Column({ type: 'varchar', length: 50 }) template: string;

  @Column({ name: 'client_id', type: 'varchar', length: 200 }) clientId: string;

  /** Encrypted for this row. A text without the envelope dates from before encryption. null: a public client. */
  @Column({ name: 'client_secret', type: 'text', nullable: true }) clientSecret: string | null;

  @Column({ name: 'authorize_url', type: 'varchar', length: 1000, nullable: true }) authorizeUrl: string | null;
  @Column({ name: 'token_url', type: 'varchar', length: 1000, nullable: true }) tokenUrl: string | null;
  @Column({ name: 'userinfo_url', type: 'varchar', length: 1000, nullable: true }) userinfoUrl: string | null;
  /** Whether `userinfoUrl` null means none, even if discovery names one. */
  @Column({ name: 'without_userinfo', type: 'boolean', default: false }) withoutUserinfo: boolean;
  @Column({ type: 'varchar', length: 255, nullable: true }) issuer: string | null;
  @Column({ type: 'jsonb', nullable: true }) scopes: string[] | null;
  @Column({ type: 'jsonb', default: () => `'{}'` }) mapping: Partial<ClaimMapping>;
  @Column({ type: 'jsonb', default: () => `'{}'` }) params: Record<string, string>;
  @Column({ type: 'boolean', nullable: true }) pkce: boolean | null;
  @Column({ name: 'auto_register', type: 'boolean' }) autoRegister: boolean;
  @Column({ name: 'trust_email', type: 'boolean' }) trustEmail: boolean;
  @Column({ type: 'boolean' }) enabled: boolean;
  @Column({ type: 'varchar', length: 500, nullable: true }) icon: string | null;
  @Column({ type: 'int' }) sort: number;

  /** Incremented by every change. */
  @Column({ type: 'int', default: 1 }) version: number;

  /** The organization whose domains limit the e-mail addresses of this provider. null: for all users. */
  @ForeignKey(() => Organization, { name: 'oauth_provider_organization_fk' })
  @Index('oauth_provider_by_organization')
  @Column({ name: 'organization_id', type: 'uuid', nullable: true })
  organizationId: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;
  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) updatedAt: Date;
}
