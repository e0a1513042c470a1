import { Injectable } from '@nestjs/common';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { OutboundClient } from '../../../platform/outbound';
import { ClientCache } from '../clients/client.cache';
import { ORGANIZATION_SCOPE, PERMISSIONS_SCOPE } from '../clients/client-scopes.service';
import { acrValues } from './authentication-context.service';
import { HAS_ID_TOKEN_CLAIMS, REQUIRES_PKCE } from './client-metadata';
import { errors } from '../core/library';
import { keepOfflineAccess } from './offline-access';
import { CLAIMS_OF_SCOPES } from '../claims/profile-claims';
import { TokenClaimsService } from './token-claims.service';
import { ORGANIZATION_PARAMETER } from '../claims/requested-organization.service';

/** OpenID Connect names no limit. Applications answer at once, so that few wait. */
const LOGOUT_DEADLINE_MS = 5_000;

/** The path below which the library serves its routes. */
export const BASE = '/api/oauth';

/** Configures the library's routes and the requests that it accepts. */
@Injectable()
export class ProtocolConfigurationFactory {
  constructor(
    private readonly clients: ClientCache,
    private readonly outbound: OutboundClient,
    private readonly tokenClaims: TokenClaimsService,
  ) {}

  create(): Configuration {
    return {
      routes: {
        authorization: `${BASE}/authorize`,
        token: `${BASE}/token`,
        userinfo: `${BASE}/userinfo`,
        jwks: `${BASE}/jwks`,
        revocation: `${BASE}/revoke`,
        introspection: `${BASE}/introspect`,
        end_session: `${BASE}/logout`,
        pushed_authorization_request: `${BASE}/par`,
      },
      responseTypes: ['code'],
      clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
      pkce: { required: (_ctx, client) => client[REQUIRES_PKCE] !== false },
      extraClientMetadata: { properties: [REQUIRES_PKCE, HAS_ID_TOKEN_CLAIMS] },
      scopes: ['openid', 'offline_access', PERMISSIONS_SCOPE],
      claims: CLAIMS_OF_SCOPES,
      acrValues,
      formats: { customizers: { jwt: (ctx, token, jwt) => this.tokenClaims.completeJwt(ctx, token, jwt) } },
      enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
      allowOmittingSingleRegisteredRedirectUri: false,
      rotateRefreshToken: true,
      // CORS is handled before a request reaches the library.
      clientBasedCORS: () => false,
      extraParams: {
        castellan: (ctx) => this.checkParameters(ctx),
        [ORGANIZATION_PARAMETER]: requireOrganizationScope,
      },
      fetch: (url, options) => this.call(new URL(url), options ?? {}),
    };
  }

  private async checkParameters(ctx: KoaContextWithOIDC): Promise<void> {
    rejectNul(ctx);
    await keepOfflineAccess(ctx);
    await this.requireScope(ctx);
  }

  /** RFC 6749 §3.3: there is no default scope, so one of the client's scopes is required. */
  private async requireScope({ oidc }: KoaContextWithOIDC): Promise<void> {
    if (oidc.requestParamOIDCScopes.size > 0) return;
    const registered = oidc.client && (await this.clients.get(oidc.client.clientId));
    if ([...oidc.requestParamScopes].some((scope) => registered?.scopes.includes(scope))) return;
    throw new errors.CustomOIDCProviderError('invalid_scope', 'a scope of the client is required');
  }

  /** Calls a client's logout URI, as deliveries call receivers. A repeated logout token changes nothing. */
  private async call({ href: url }: URL, { headers, body }: RequestInit): Promise<Response> {
    const answer = await this.outbound.deliver({
      url,
      headers: Object.fromEntries(new Headers(headers)),
      body: body instanceof URLSearchParams ? body.toString() : '',
      deadlineMs: LOGOUT_DEADLINE_MS,
    });
    return new Response(null, { status: answer.status });
  }
}

/** Otherwise an application could believe that its tokens are for the organization. */
function requireOrganizationScope({ oidc }: KoaContextWithOIDC, named: string | undefined): void {
  if (named === undefined || oidc.requestParamScopes.has(ORGANIZATION_SCOPE)) return;
  throw new errors.InvalidRequest('the parameter organization requires the scope organization');
}

/** Checks pushed parameters, which come in a form body that no earlier check has read. */
function rejectNul({ oidc }: KoaContextWithOIDC): void {
  const { params = {} } = oidc as { params?: Record<string, unknown> };
  if (JSON.stringify(Object.values(params)).includes('\\u0000')) {
    throw new errors.InvalidRequest('a parameter contains a NUL character');
  }
}
