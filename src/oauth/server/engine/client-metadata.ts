import type { AdapterPayload, ClientMetadata } from 'oidc-provider';
import { sha256 } from '../../../platform/crypto';
import { isNative } from '../clients/client-rules';
import { ClientScopesService } from '../clients/client-scopes.service';
import { OAuthClient } from '../clients/client.entity';

/** Metadata in addition to the library's. */
export const REQUIRES_PKCE = 'require_pkce';
export const HAS_ID_TOKEN_CLAIMS = 'id_token_claims';

/** Converts a client for the library. Permissions are checked separately, with their resource. */
export function clientMetadata(client: OAuthClient, scopes: ClientScopesService): AdapterPayload & ClientMetadata {
  const identity = client.scopes.filter((scope) => scopes.permissionOf(scope) === undefined);
  return {
    client_id: client.clientId,
    client_name: client.name,
    application_type: isNative(client) ? 'native' : 'web',
    redirect_uris: [...client.redirectUris],
    post_logout_redirect_uris: [...client.postLogoutRedirectUris],
    grant_types: [...client.grantTypes],
    response_types: client.grantTypes.includes('authorization_code') ? ['code'] : [],
    // An empty scope would allow all scopes.
    scope: identity.join(' ') || 'openid',
    token_endpoint_auth_method: client.isPublic ? 'none' : 'client_secret_basic',
    id_token_signed_response_alg: client.idTokenSignedResponseAlg,
    [REQUIRES_PKCE]: client.isPublic || client.requirePkce,
    [HAS_ID_TOKEN_CLAIMS]: client.idTokenClaims,
    // Replaces the secret, which is compared by its digest. Different for each secret.
    ...(client.secretHash !== null && { client_secret: sha256(client.secretHash) }),
    ...(client.backchannelLogoutUri !== null && {
      backchannel_logout_uri: client.backchannelLogoutUri,
      backchannel_logout_session_required: true,
    }),
  };
}
