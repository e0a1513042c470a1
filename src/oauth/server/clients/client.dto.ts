import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  ChoiceListField,
  FieldOptions,
  IdField,
  IntegerField,
  ListField,
  NestedField,
  TextField,
  TextListField,
} from '../../../platform/http/input';
import { PageOf, PageQueryDto } from '../../../platform/lists';
import { isAvatarUrl } from '../../../users';
import {
  accessDto,
  claimDto,
  ClientClaimDto,
  ClientClaimInputDto,
  ClientAccessDto,
  ClientAccessInputDto,
  MAX_CLAIMS,
} from './client-claims.dto';
import { GRANT_TYPES, GrantType, ID_TOKEN_ALGORITHMS, isDisabledByService, OAuthClient } from './client.entity';
import type { IdTokenAlgorithm } from './client.entity';
import { redirectUriKind } from './redirect-uri';

const MAX_URIS = 20;
const MAX_SCOPES = 100;
const MAX_RESOURCES = 20;
const MAX_URI_LENGTH = 2_000;
const A_WEEK = 604_800;

const redirectUri = (text: string): string | undefined => (redirectUriKind(text) ? undefined : 'redirect_uri');
const webUri = (text: string): string | undefined => {
  const kind = redirectUriKind(text);
  return kind === 'https' || kind === 'loopback' ? undefined : 'web_uri';
};

const UriListField = (options: FieldOptions): PropertyDecorator =>
  TextListField({ ...options, max: MAX_URIS, entry: { max: MAX_URI_LENGTH, check: redirectUri } });

const NameField = (options: { optional: boolean }): PropertyDecorator =>
  TextField({
    description: 'Shown to users on the consent page',
    min: 1,
    max: 100,
    check: visible,
    example: 'Reports',
    ...options,
  });

const visible = (text: string): string | undefined => (text.trim() === '' ? 'visible' : undefined);

class ClientFieldsDto {
  @TextField({
    description: 'For administrators',
    max: 500,
    optional: true,
    nullable: true,
    example: 'The reporting application',
  })
  description?: string | null;

  @TextField({
    description: 'https URL of an image',
    max: 500,
    check: (text) => (text === '' || isAvatarUrl(text) ? undefined : 'avatar'),
    optional: true,
    nullable: true,
    example: 'https://reports.example.com/logo.svg',
  })
  logo?: string | null;

  @UriListField({
    description:
      'Compared exactly. Allowed: https, http to a loopback address, or a private-use scheme that contains a dot',
    optional: true,
    example: ['https://reports.example.com/callback'],
  })
  redirect_uris?: string[];

  @UriListField({
    description: 'Where the browser may be redirected after a logout',
    optional: true,
    example: ['https://reports.example.com/'],
  })
  post_logout_redirect_uris?: string[];

  @TextField({
    description: 'Notified when a session that used the client ends (OpenID Connect Back-Channel Logout)',
    max: 500,
    check: webUri,
    optional: true,
    nullable: true,
    example: 'https://reports.example.com/logout',
  })
  backchannel_logout_uri?: string | null;

  @ChoiceListField({
    description: 'Default: authorization_code and refresh_token',
    options: GRANT_TYPES,
    min: 1,
    optional: true,
  })
  grant_types?: GrantType[];

  @TextListField({
    description:
      'openid, profile, email, phone, offline_access, permissions, organization, and permissions of the catalogue',
    max: MAX_SCOPES,
    entry: { max: 152 },
    optional: true,
    example: ['openid', 'profile'],
  })
  scopes?: string[];

  @BooleanField({
    description:
      'Default: true. false allows logins without PKCE for a confidential client whose software does not support it',
    optional: true,
  })
  require_pkce?: boolean;

  @ChoiceField({
    description: 'Signature algorithm of its ID tokens. Default: RS256',
    options: ID_TOKEN_ALGORITHMS,
    optional: true,
  })
  id_token_signed_response_alg?: IdTokenAlgorithm;

  @BooleanField({
    description:
      'Whether its ID tokens also have the claims of the granted scopes. Default: false, only userinfo has them',
    optional: true,
  })
  id_token_claims?: boolean;

  @TextListField({
    description:
      'Resources whose access tokens the client may introspect. Setting one requires all permissions in its scope, ' +
      'which are checked again at each introspection',
    max: MAX_RESOURCES,
    entry: { max: 100 },
    optional: true,
    example: ['urn:castellan:crm'],
  })
  introspection_resources?: string[];

  @NestedField(() => ClientAccessInputDto, {
    description: 'Who may use the client. Default: everybody',
    optional: true,
  })
  access?: ClientAccessInputDto;

  @ListField(() => ClientClaimInputDto, {
    description:
      'Claims in addition to those of the protocol. Those in access tokens require `*:*` at level 7 in scope `*`, those ' +
      'of a first-party client `*:*`. Another client gets them with the scope `permissions` only',
    max: MAX_CLAIMS,
    optional: true,
  })
  claims?: ClientClaimInputDto[];

  @IdField({
    description:
      'Ties the client to the organization: only its members may use it, and tokens of the client itself name it. Needs ' +
      '`organization:update` in this organization, and to change or untie it in the former one. Who holds ' +
      '`oauth_client:create` in the organization only cannot untie it',
    optional: true,
    nullable: true,
  })
  organization_id?: string | null;

  @BooleanField({ description: 'Skips the consent page. Only a holder of `*:*` can set it', optional: true })
  first_party?: boolean;
}

export class CreateClientDto extends ClientFieldsDto {
  @NameField({ optional: false }) name: string;

  @BooleanField({
    description: 'Whether it cannot keep a secret, as in a browser or mobile app. Cannot be changed later',
    optional: true,
  })
  is_public?: boolean;
}

export class ChangeClientDto extends ClientFieldsDto {
  @NameField({ optional: true }) name?: string;

  @BooleanField({
    description:
      'A disabled client is treated like an unknown one. If a holder of `*:*` who does not own it disabled it, only a holder ' +
      'of `*:*` enables it again',
    optional: true,
  })
  enabled?: boolean;
}

export class ListClientsDto extends PageQueryDto {
  @IdField({
    description:
      'Only clients of this organization. `oauth_client:read` may be held there only: then the header `X-Organization-Id` ' +
      'must name it',
    optional: true,
  })
  organization_id?: string;
}

export class RotateSecretDto {
  @IntegerField({
    description: 'How long the previous secret stays valid, in seconds',
    min: 0,
    max: A_WEEK,
    optional: true,
    example: 3_600,
  })
  overlap_seconds?: number;
}

@ApiSchema({ description: 'The client, without its secret' })
export class ClientDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ description: 'The `client_id` in the protocol', example: 'as-it-was-made-up' })
  client_id: string;
  @ApiProperty({ example: 'Reports' }) name: string;
  @ApiProperty({ example: 'The reporting application' }) description: string;
  @ApiProperty({ example: 'https://reports.example.com/logo.svg' }) logo: string;
  @ApiProperty({ type: [String], example: ['https://reports.example.com/callback'] }) redirect_uris: readonly string[];
  @ApiProperty({ type: [String], example: ['https://reports.example.com/'] })
  post_logout_redirect_uris: readonly string[];
  @ApiProperty({ type: String, nullable: true, example: 'https://reports.example.com/logout' }) backchannel_logout_uri:
    string | null;
  @ApiProperty({ type: [String], enum: [...GRANT_TYPES] }) grant_types: readonly string[];
  @ApiProperty({ type: [String], example: ['openid', 'profile'] }) scopes: readonly string[];
  @ApiProperty() is_public: boolean;
  @ApiProperty({ description: 'Whether it must use PKCE (RFC 7636)', example: true })
  require_pkce: boolean;
  @ApiProperty({ enum: [...ID_TOKEN_ALGORITHMS], description: 'Signature algorithm of its ID tokens' })
  id_token_signed_response_alg: IdTokenAlgorithm;
  @ApiProperty({ description: 'Whether its ID tokens have the claims of the granted scopes', example: false })
  id_token_claims: boolean;
  @ApiProperty({ type: [String], example: ['urn:castellan:crm'] }) introspection_resources: readonly string[];
  @ApiProperty({ type: ClientAccessDto, description: 'Who may use the client' }) access: ClientAccessDto;
  @ApiProperty({ type: [ClientClaimDto], description: 'Claims in addition to those of the protocol' })
  claims: readonly ClientClaimDto[];
  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Only its members may use the client' })
  organization_id: string | null;
  @ApiProperty() first_party: boolean;
  @ApiProperty() enabled: boolean;
  @ApiPropertyOptional({
    description:
      'Only a holder of `*:*` enables it again. Absent if it is enabled, or was disabled by its owner or organization',
  })
  disabled_by_service?: true;
  @ApiPropertyOptional({
    description:
      'Does not act at present, because a user who tied it to its organization or owns it is disabled. `enabled: true` by another user lets it act for that one',
  })
  suspended?: true;
  @ApiProperty({ type: String, format: 'uuid', nullable: true }) owner_id: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) last_used_at: string | null;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time' }) updated_at: string;
}

@ApiSchema({ description: 'The new client, with its secret unless it is public' })
export class CreatedClientDto extends ClientDto {
  @ApiPropertyOptional({
    description: 'Shown only in this response. A public client has none',
    example: 'shown-this-once',
  })
  client_secret?: string;
}

@ApiSchema({ description: 'The new secret, which is shown only once' })
export class ClientSecretDto {
  @ApiProperty({ description: 'Shown only in this response', example: 'shown-this-once' }) client_secret: string;
}

@ApiSchema({ description: 'A page of clients, without their secrets' })
export class ClientPageDto extends PageOf(ClientDto) {}

export function clientDto(client: OAuthClient): ClientDto {
  return {
    id: client.id,
    client_id: client.clientId,
    name: client.name,
    description: client.description,
    logo: client.logo,
    redirect_uris: client.redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    backchannel_logout_uri: client.backchannelLogoutUri,
    grant_types: client.grantTypes,
    scopes: client.scopes,
    is_public: client.isPublic,
    require_pkce: client.requirePkce,
    id_token_signed_response_alg: client.idTokenSignedResponseAlg,
    id_token_claims: client.idTokenClaims,
    introspection_resources: client.introspectionResources,
    access: accessDto(client.access),
    claims: client.claims.map(claimDto),
    organization_id: client.organizationId,
    first_party: client.firstParty,
    enabled: client.enabled,
    ...(client.enabled && client.isSuspended && { suspended: true as const }),
    ...(isDisabledByService(client) && { disabled_by_service: true as const }),
    owner_id: client.ownerId,
    last_used_at: client.lastUsedAt?.toISOString() ?? null,
    created_at: client.createdAt.toISOString(),
    updated_at: client.updatedAt.toISOString(),
  };
}

export function createdClientDto(client: OAuthClient, secret: string | undefined): CreatedClientDto {
  return Object.assign(clientDto(client), secret !== undefined && { client_secret: secret });
}
