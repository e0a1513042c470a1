import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { User } from '../../../users';

export const GRANT_TYPES = ['authorization_code', 'refresh_token', 'client_credentials'] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

export const ID_TOKEN_ALGORITHMS = ['RS256', 'ES256'] as const;
export type IdTokenAlgorithm = (typeof ID_TOKEN_ALGORITHMS)[number];

/** An application that logs its users in here, or acts for itself. */
@Entity({ name: 'oauth_client' })
@Unique('oauth_client_client_id_unique', ['clientId'])
@Check('oauth_client_secret_unless_public', 'is_public = (secret_hash IS NULL)')
@Check('oauth_client_pkce_of_public', 'require_pkce OR NOT is_public')
@Index('oauth_client_by_owner', ['ownerId', 'id'])
@Index('oauth_client_by_setter', ['scopesSetBy'])
@Index('oauth_client_by_origin', { synchronize: false })
export class OAuthClient {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'oauth_client_pk' }) id: string;

  /** By which the client calls itself in the protocol. */
  @Column({ name: 'client_id', type: 'varchar', length: 64 }) clientId: string;

  @Column({ type: 'varchar', length: 100 }) name: string;

  @Column({ type: 'varchar', length: 500, default: '' }) description: string;

  @Column({ type: 'varchar', length: 500, default: '' }) logo: string;

  @Column({ name: 'redirect_uris', type: 'jsonb' }) redirectUris: readonly string[];

  @Column({ name: 'post_logout_redirect_uris', type: 'jsonb' }) postLogoutRedirectUris: readonly string[];

  @Column({ name: 'backchannel_logout_uri', type: 'varchar', length: 500, nullable: true })
  backchannelLogoutUri: string | null;

  /** Of the redirect addresses: the pages that may call the protocol from a browser. */
  @Column({ type: 'jsonb' }) origins: readonly string[];

  @Column({ name: 'grant_types', type: 'jsonb' }) grantTypes: readonly GrantType[];

  @Column({ type: 'jsonb' }) scopes: readonly string[];

  /** Whose rights the scopes are measured by, again at each token. */
  @ForeignKey(() => User, { name: 'oauth_client_setter_fk', onDelete: 'SET NULL' })
  @Column({ name: 'scopes_set_by', type: 'uuid', nullable: true })
  scopesSetBy: string | null;

  /** It runs where no secret can be kept: in a browser, on a phone. */
  @Column({ name: 'is_public', type: 'boolean' }) isPublic: boolean;

  /** Off for a confidential client alone, whose software sends no code challenge (RFC 9700 §2.1.1). */
  @Column({ name: 'require_pkce', type: 'boolean', default: true }) requirePkce: boolean;

  @Column({ name: 'id_token_signed_response_alg', type: 'varchar', length: 10, default: 'RS256' })
  idTokenSignedResponseAlg: IdTokenAlgorithm;

  /** The ID token has the claims of the scopes, too, which otherwise only userinfo gives (Core §5.4). */
  @Column({ name: 'id_token_claims', type: 'boolean', default: false }) idTokenClaims: boolean;

  /** Resources whose access tokens it may introspect, whichever client they were issued to (RFC 7662). */
  @Column({ name: 'introspection_resources', type: 'jsonb', default: [] }) introspectionResources: readonly string[];

  /** The operator's own application: users are not asked for consent. */
  @Column({ name: 'first_party', type: 'boolean', default: false }) firstParty: boolean;

  @Column({ type: 'boolean', default: true }) enabled: boolean;

  @ForeignKey(() => User, { name: 'oauth_client_owner_fk', onDelete: 'SET NULL' })
  @Column({ name: 'owner_id', type: 'uuid', nullable: true })
  ownerId: string | null;

  /** SHA-256: the secret itself is 256 random bits. */
  @Column({ name: 'secret_hash', type: 'varchar', length: 64, nullable: true }) secretHash: string | null;

  @Column({ name: 'former_secret_hash', type: 'varchar', length: 64, nullable: true }) formerSecretHash: string | null;

  @Column({ name: 'former_secret_until', type: 'timestamptz', precision: 3, nullable: true })
  formerSecretUntil: Date | null;

  /** What was given by then is good no more, also once the client is in use again. */
  @Column({ name: 'tokens_ended_at', type: 'timestamptz', precision: 3, nullable: true }) tokensEndedAt: Date | null;

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, nullable: true }) lastUsedAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, default: () => 'now()' }) updatedAt: Date;
}
