import { AuditEntry, AuditTarget } from '../../../audit';
import { Caller } from '../../../platform/context';
import { newId, randomToken, sha256 } from '../../../platform/crypto';
import { OPEN_ACCESS } from './client-claims';
import { accessDto, accessOf, claimDto, claimsOf } from './client-claims.dto';
import { ChangeClientDto, CreateClientDto } from './client.dto';
import { GrantType, isDisabledByService, OAuthClient } from './client.entity';
import { ClientChange, NewClient } from './client.repository';
import { originsOf } from './redirect-uri';
import { clientActs, OrganizationOfClient } from '../core/authorization-server.acts';

const CLIENT_ID_BYTES = 16;

/** Never begins with `-`, which a command line would take for an option. */
const newClientId = (): string => randomToken(CLIENT_ID_BYTES).replace(/^-/, 'c');

type ProtocolOptions = Pick<
  NewClient,
  'requirePkce' | 'idTokenSignedResponseAlg' | 'idTokenClaims' | 'introspectionResources'
>;

const protocolOptionsOf = (body: CreateClientDto): ProtocolOptions => ({
  requirePkce: body.require_pkce ?? true,
  idTokenSignedResponseAlg: body.id_token_signed_response_alg ?? 'RS256',
  idTokenClaims: body.id_token_claims ?? false,
  introspectionResources: [...new Set(body.introspection_resources)],
});

type Tie = Pick<NewClient, 'organizationId' | 'organizationSetBy'>;

/** Who changes a client. */
export interface ClientChanger extends Pick<Caller, 'userId'> {
  /** Whether the user who tied the client may still do so. True for a client without a tie. */
  readonly isAnsweredFor: boolean;
}

const tieOf = (userId: string, organizationId: string | null = null): Tie => ({
  organizationId,
  organizationSetBy: organizationId === null ? null : userId,
});

/** Whether the body gives the client a tie under which it does not act now, so that the caller answers for it from then on. */
function ties(
  before: OAuthClient,
  { organization_id: wanted, enabled }: ChangeClientDto,
  isAnsweredFor: boolean,
): boolean {
  if (wanted !== undefined && (wanted !== before.organizationId || !isAnsweredFor)) return true;
  return enabled === true && before.organizationId !== null && (!before.enabled || !isAnsweredFor);
}

const changedTie = (before: OAuthClient, body: ChangeClientDto, by: ClientChanger): Partial<Tie> =>
  ties(before, body, by.isAnsweredFor)
    ? tieOf(by.userId, body.organization_id === undefined ? before.organizationId : body.organization_id)
    : {};

export function newClient(
  { userId }: Caller,
  body: CreateClientDto,
  { scopes, secret, ownerId }: Pick<NewClient, 'scopes' | 'ownerId'> & { readonly secret: string | undefined },
): NewClient {
  const redirectUris = [...new Set(body.redirect_uris)];
  return {
    id: newId(),
    clientId: newClientId(),
    name: body.name,
    description: body.description ?? '',
    logo: body.logo ?? '',
    redirectUris,
    postLogoutRedirectUris: [...new Set(body.post_logout_redirect_uris)],
    backchannelLogoutUri: body.backchannel_logout_uri ?? null,
    origins: originsOf(redirectUris),
    grantTypes: [...new Set<GrantType>(body.grant_types ?? ['authorization_code', 'refresh_token'])],
    scopes,
    scopesSetBy: userId,
    introspectionSetBy: userId,
    isPublic: body.is_public ?? false,
    ...protocolOptionsOf(body),
    access: body.access ? accessOf(body.access) : OPEN_ACCESS,
    claims: claimsOf(body.claims ?? []),
    ...tieOf(userId, body.organization_id),
    firstParty: body.first_party ?? false,
    enabled: true,
    disabledByService: false,
    ownerId,
    secretHash: secret === undefined ? null : sha256(secret),
  };
}

/**
 * The fields of the body that change the client. Saving the scopes or the introspection resources, even unchanged, makes the
 * caller their grantor. The same organization does so only if the user who tied the client to it may no longer do so. So does
 * enabling a client of an organization.
 */
export function changeOf(
  before: OAuthClient,
  body: ChangeClientDto,
  scopes: readonly string[] | undefined,
  by: ClientChanger,
): ClientChange {
  const { userId } = by;
  const { redirect_uris: redirectUris } = body;
  const wanted: { [Field in keyof ClientChange]: ClientChange[Field] | null } = {
    name: body.name,
    description: cleared(body.description),
    logo: cleared(body.logo),
    redirectUris: redirectUris && [...new Set(redirectUris)],
    origins: redirectUris && originsOf(redirectUris),
    postLogoutRedirectUris: body.post_logout_redirect_uris && [...new Set(body.post_logout_redirect_uris)],
    backchannelLogoutUri: body.backchannel_logout_uri,
    grantTypes: body.grant_types && [...new Set(body.grant_types)],
    scopes,
    scopesSetBy: scopes && userId,
    requirePkce: body.require_pkce,
    idTokenSignedResponseAlg: body.id_token_signed_response_alg,
    idTokenClaims: body.id_token_claims,
    introspectionResources: body.introspection_resources && [...new Set(body.introspection_resources)],
    introspectionSetBy: body.introspection_resources && userId,
    access: body.access && accessOf(body.access),
    claims: body.claims && claimsOf(body.claims),
    ...changedTie(before, body, by),
    firstParty: body.first_party,
    enabled: body.enabled,
  };
  const isNew = ([name, value]: [string, unknown]): boolean =>
    value !== undefined && JSON.stringify(before[name as keyof OAuthClient]) !== JSON.stringify(value);
  return Object.fromEntries(Object.entries(wanted).filter(isNew));
}

/** A client that the service disables, also one that is disabled already, stays so until the service enables it. */
export function disablingOf(before: OAuthClient, { enabled }: ChangeClientDto, byService: boolean): ClientChange {
  if (enabled === undefined) return {};
  const disabledByService = !enabled && (byService || isDisabledByService(before));
  return disabledByService === before.disabledByService ? {} : { disabledByService };
}

/** Whether the change reduces rights or concerns the organization, so that tokens issued before must end. */
export function takesAway(before: OAuthClient, change: ClientChange): boolean {
  const { enabled, firstParty, scopes, organizationId } = change;
  return enabled === false || firstParty === false || organizationId !== undefined || isAnyLost(before.scopes, scopes);
}

/** Whether the change makes rules stricter, so that pending requests and codes must end. */
export function narrows(before: OAuthClient, { redirectUris, grantTypes, requirePkce }: ClientChange): boolean {
  return (
    requirePkce === true || isAnyLost(before.redirectUris, redirectUris) || isAnyLost(before.grantTypes, grantTypes)
  );
}

const isAnyLost = (before: readonly string[], after: readonly string[] | undefined): boolean =>
  after !== undefined && before.some((value) => !after.includes(value));

const cleared = (text: string | null | undefined): string | undefined => (text === null ? '' : text);

export function auditedClient(client: OAuthClient): object {
  return {
    name: client.name,
    redirect_uris: client.redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    backchannel_logout_uri: client.backchannelLogoutUri,
    grant_types: client.grantTypes,
    scopes: client.scopes,
    scopes_set_by: client.scopesSetBy,
    is_public: client.isPublic,
    require_pkce: client.requirePkce,
    id_token_signed_response_alg: client.idTokenSignedResponseAlg,
    id_token_claims: client.idTokenClaims,
    introspection_resources: client.introspectionResources,
    introspection_set_by: client.introspectionSetBy,
    access: accessDto(client.access),
    claims: client.claims.map(claimDto),
    organization_id: client.organizationId,
    organization_set_by: client.organizationSetBy,
    first_party: client.firstParty,
    enabled: client.enabled,
    ...(isDisabledByService(client) && { disabled_by_service: true }),
    owner_id: client.ownerId,
  };
}

export function targetOf({ id, name, organizationId }: OAuthClient): AuditTarget {
  return { type: 'oauth_client', id, label: name, organizationId };
}

/**
 * The audit of a change. If the client moves, the change is the service's, because it names both organizations, and each of
 * them has an entry that names it alone.
 */
export function updateEntries(before: OAuthClient, after: OAuthClient): AuditEntry[] {
  const change = clientActs.update({ before: auditedClient(before), after: auditedClient(after) });
  if (before.organizationId === after.organizationId) return [{ ...change, target: targetOf(after) }];
  const tie = ({ organizationId }: OAuthClient): OrganizationOfClient => ({ organization_id: organizationId });
  return [
    { ...change, target: { ...targetOf(after), organizationId: null } },
    ...(before.organizationId === null ? [] : [clientActs.untie({ target: targetOf(before), before: tie(before) })]),
    ...(after.organizationId === null ? [] : [clientActs.tie({ target: targetOf(after), after: tie(after) })]),
  ];
}
