import { FieldProblem, platformErrors } from '../../../platform/errors';
import { GrantType } from './client.entity';
import { LOOPBACK, redirectUriKind } from './redirect-uri';

export interface RuledClient {
  readonly isPublic: boolean;
  readonly requirePkce: boolean;
  readonly introspectionResources: readonly string[];
  readonly grantTypes: readonly GrantType[];
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
}

/** Rules between a client's fields. Errors: `validation_failed`. */
export function checkClient(client: RuledClient): void {
  const fields = [...problemsOfGrants(client), ...problemsOfSecret(client), ...problemsOfUris(client)];
  if (fields.length > 0) throw platformErrors.validationFailed({ fields });
}

function problemsOfGrants({ isPublic, grantTypes }: RuledClient): FieldProblem[] {
  const hasCode = grantTypes.includes('authorization_code');
  const problems: FieldProblem[] = [];
  if (isPublic && grantTypes.includes('client_credentials')) {
    problems.push({ field: 'grant_types', code: 'secret_needed' });
  }
  if (grantTypes.includes('refresh_token') && !hasCode) problems.push({ field: 'grant_types', code: 'code_needed' });
  return problems;
}

/** A client without a secret must use PKCE (RFC 9700 §2.1.1), and cannot authenticate for introspection. */
function problemsOfSecret({ isPublic, requirePkce, introspectionResources }: RuledClient): FieldProblem[] {
  if (!isPublic) return [];
  const problems: FieldProblem[] = [];
  if (!requirePkce) problems.push({ field: 'require_pkce', code: 'pkce_needed' });
  if (introspectionResources.length > 0) {
    problems.push({ field: 'introspection_resources', code: 'confidential_client_needed' });
  }
  return problems;
}

function problemsOfUris(client: RuledClient): FieldProblem[] {
  const { grantTypes, redirectUris, postLogoutRedirectUris } = client;
  if (grantTypes.includes('authorization_code') && redirectUris.length === 0) {
    return [{ field: 'redirect_uris', code: 'min_items', params: { min: 1 } }];
  }
  return [
    ...problemsOf('redirect_uris', redirectUris, client),
    ...problemsOf('post_logout_redirect_uris', postLogoutRedirectUris, client),
  ];
}

function problemsOf(field: string, uris: readonly string[], client: RuledClient): FieldProblem[] {
  return uris.flatMap((uri, index) => {
    const kind = redirectUriKind(uri);
    // A private-use scheme belongs to a native app, which cannot keep a secret (RFC 8252 §8.5).
    if (!client.isPublic && kind === 'private_use') {
      return [{ field: `${field}[${index}]`, code: 'public_client_needed' }];
    }
    // An app cannot claim an https URL on a loopback host (RFC 8252 §7.2).
    const isUnclaimable = kind === 'https' && LOOPBACK.has(new URL(uri).hostname);
    return isNative(client) && isUnclaimable ? [{ field: `${field}[${index}]`, code: 'redirect_uri' }] : [];
  });
}

/**
 * Whether loopback redirect URIs match with any port (RFC 8252 §7.3), which is allowed for public clients only. All
 * other URIs are compared exactly.
 */
export function isNative({ isPublic, redirectUris, postLogoutRedirectUris }: RuledClient): boolean {
  return isPublic && [...redirectUris, ...postLogoutRedirectUris].some((uri) => redirectUriKind(uri) !== 'https');
}
