import type Provider from 'oidc-provider';
import { HAS_ID_TOKEN_CLAIMS } from './client-metadata';
import { Provider as Library } from '../core/library';
import { before } from '../core/patch-errors';

/** Properties of the library's class that its types do not declare. */
interface IdToken {
  readonly client?: Readonly<Record<string, unknown>>;
  scope?: string;
}

interface Source {
  readonly scopes: ReadonlySet<string>;
}

interface Request {
  readonly entities: {
    readonly Grant?: { getOIDCScopeFiltered(scopes: ReadonlySet<string>): string };
    readonly AuthorizationCode?: Source;
    readonly RefreshToken?: Source;
  };
  readonly requestParamScopes: ReadonlySet<string>;
  readonly params?: Readonly<Record<string, unknown>>;
}

/**
 * Adds the claims of the granted scopes to the ID tokens of clients that request it, because some clients do not call
 * userinfo. The library omits them when it also issues an access token for userinfo (OpenID Connect Core §5.4).
 */
export function addIdTokenClaims({ IdToken }: Provider): void {
  before<IdToken>(IdToken.prototype, 'issue', (token) => {
    if (token.client?.[HAS_ID_TOKEN_CLAIMS] === true) token.scope = grantedScope() ?? token.scope ?? '';
  });
}

/** The granted scopes of the code or refresh token in use. Undefined if there is none, as for a logout token. */
export function grantedScope(): string | undefined {
  const request = Library.ctx?.oidc as unknown as Request | undefined;
  const scopes = request && requestedScopes(request);
  return scopes && request.entities.Grant?.getOIDCScopeFiltered(scopes);
}

/** A refresh may request fewer scopes than its token has (RFC 6749 §6). */
function requestedScopes({ entities, params, requestParamScopes }: Request): ReadonlySet<string> | undefined {
  const { AuthorizationCode, RefreshToken } = entities;
  if (AuthorizationCode) return AuthorizationCode.scopes;
  return RefreshToken && params?.['scope'] !== undefined ? requestParamScopes : RefreshToken?.scopes;
}
