import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique, VirtualColumn } from 'typeorm';
import { Organization } from '../../../rbac';
import { User } from '../../../users';
import { OPEN_ACCESS } from './client-claims';
import type { ClaimMapping, ClientAccess } from './client-claims';

export const GRANT_TYPES = ['authorization_code', 'refresh_token', 'client_credentials'] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

export const ID_TOKEN_ALGORITHMS = ['RS256', 'ES256'] as const;
export type IdTokenAlgorithm = (typeof ID_TOKEN_ALGORITHMS)[number];

/**
 * Whether a user who tied or owns the client of an organization is disabled. SQL on the client's columns, for the alias of its
 * table.
 */
export const suspensionOf = (client: string): string =>
  `(${client}.organization_id IS NOT NULL AND (
     EXISTS (SELECT 1 FROM user_account AS owner WHERE owner.id = ${client}.owner_id AND owner.status <> 'active')
     OR EXISTS (SELECT 1 FROM user_account AS setter WHERE setter.id = ${client}.organization_set_by AND setter.status <> 'active')))`;

/** An OAuth client: an application whose users log in here, or that acts for itself. */
@Entity({ name: 'oauth_client' })
@Unique('oauth_client_client_id_unique', ['clientId'])
@Check('oauth_client_secret_unless_public', 'is_public = (secret_hash IS NULL)')
@Check('oauth_client_pkce_of_public', 'require_pkce OR NOT is_public')
@Index('oauth_client_by_owner', ['ownerId', 'id'])
@Index('oauth_client_by_setter', ['scopesSetBy'])
@Index('oauth_client_by_introspection_setter', ['introspectionSetBy'])
@Index('oauth_client_by_organization', ['organizationId'])
@Index('oauth_client_by_organization_setter', ['organizationSetBy'])
@Index('oauth_client_by_origin', { synchronize: false })
export class OAuthClient {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'oauth_client_pk' }) id: string;

  /** The `client_id` in the protocol. */
  @Column({ name: 'client_id', type: 'varchar', length: 64 }) clientId: string;

  @Column({ type: 'varchar', length: 100 }) name: string;

  @Column({ type: 'varchar', length: 500, default: '' }) description: string;

  @Column({ type: 'varchar', length: 500, default: '' }) logo: string;

  @Column({ name: 'redirect_uris', type: 'jsonb' }) redirectUris: readonly string[];

  @Column({ name: 'post_logout_redirect_uris', type: 'jsonb' }) postLogoutRedirectUris: readonly string[];

  @Column({ name: 'backchannel_logout_uri', type: 'varchar', length: 500, nullable: true })
  backchannelLogoutUri: string | null;

  /** The origins of the redirect URIs. Their pages may call the protocol routes. */
  @Column({ type: 'jsonb' }) origins: readonly string[];

  @Column({ name: 'grant_types', type: 'jsonb' }) grantTypes: readonly GrantType[];

  @Column({ type: 'jsonb' }) scopes: readonly string[];

  /** The user whose permissions limit the scopes, which is checked again for each token. */
  @ForeignKey(() => User, { name: 'oauth_client_setter_fk', onDelete: 'SET NULL' })
  @Column({ name: 'scopes_set_by', type: 'uuid', nullable: true })
  scopesSetBy: string | null;

  /** Whether it cannot keep a secret, as in a browser or mobile app. */
  @Column({ name: 'is_public', type: 'boolean' }) isPublic: boolean;

  /** Can be off only for a confidential client whose software does not support PKCE (RFC 9700 §2.1.1). */
  @Column({ name: 'require_pkce', type: 'boolean', default: true }) requirePkce: boolean;

  @Column({ name: 'id_token_signed_response_alg', type: 'varchar', length: 10, default: 'RS256' })
  idTokenSignedResponseAlg: IdTokenAlgorithm;

  /** Whether ID tokens also have the claims of the scopes, which otherwise only userinfo returns (Core §5.4). */
  @Column({ name: 'id_token_claims', type: 'boolean', default: false }) idTokenClaims: boolean;

  /** Resources whose access tokens it may introspect, of any client (RFC 7662). */
  @Column({ name: 'introspection_resources', type: 'jsonb', default: [] }) introspectionResources: readonly string[];

  /** The user whose permissions limit what it may introspect, checked at each introspection. */
  @ForeignKey(() => User, { name: 'oauth_client_introspection_setter_fk', onDelete: 'SET NULL' })
  @Column({ name: 'introspection_set_by', type: 'uuid', nullable: true })
  introspectionSetBy: string | null;

  /** Who may use it. Checked at each authorization and with each token. */
  @Column({ type: 'jsonb', default: OPEN_ACCESS }) access: ClientAccess;

  /** Only members of this organization may use it, and its own tokens name it. */
  @ForeignKey(() => Organization, { name: 'oauth_client_organization_fk', onDelete: 'RESTRICT' })
  @Column({ name: 'organization_id', type: 'uuid', nullable: true })
  organizationId: string | null;

  /** The user who tied it. It acts for the organization while that user may still tie clients to it. */
  @ForeignKey(() => User, { name: 'oauth_client_organization_setter_fk', onDelete: 'SET NULL' })
  @Column({ name: 'organization_set_by', type: 'uuid', nullable: true })
  organizationSetBy: string | null;

  /** What its tokens contain in addition to the claims of the protocol. */
  @Column({ type: 'jsonb', default: [] }) claims: readonly ClaimMapping[];

  /** The operator's own application, for which users are not asked for consent. */
  @Column({ name: 'first_party', type: 'boolean', default: false }) firstParty: boolean;

  @Column({ type: 'boolean', default: true }) enabled: boolean;

  /** Then it does not act, as if it were disabled, until the user is enabled or another one enables the client. */
  @VirtualColumn({ type: 'boolean', query: (client) => `SELECT ${suspensionOf(client)}` })
  isSuspended: boolean;

  /** Then only the service enables it again. Without meaning while it is enabled. */
  @Column({ name: 'disabled_by_service', type: 'boolean', default: false }) disabledByService: boolean;

  @ForeignKey(() => User, { name: 'oauth_client_owner_fk', onDelete: 'SET NULL' })
  @Column({ name: 'owner_id', type: 'uuid', nullable: true })
  ownerId: string | null;

  /** SHA-256, which is enough for a secret of 256 random bits. */
  @Column({ name: 'secret_hash', type: 'varchar', length: 64, nullable: true }) secretHash: string | null;

  @Column({ name: 'former_secret_hash', type: 'varchar', length: 64, nullable: true }) previousSecretHash:
    string | null;

  @Column({ name: 'former_secret_until', type: 'timestamptz', precision: 3, nullable: true })
  previousSecretUntil: Date | null;

  /** Tokens issued before this time are invalid, also after the client is enabled again. */
  @Column({ name: 'tokens_ended_at', type: 'timestamptz', precision: 3, nullable: true }) tokensEndedAt: Date | null;

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, nullable: true }) lastUsedAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) updatedAt: Date;
}

export const isDisabledByService = ({ enabled, disabledByService }: OAuthClient): boolean =>
  !enabled && disabledByService;
