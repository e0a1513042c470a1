import { Injectable } from '@nestjs/common';
import type { Adapter, Configuration, JWKS, KoaContextWithOIDC, ResourceServer } from 'oidc-provider';
import { SecretBox } from '../../platform/crypto';
import { Outbound } from '../../platform/outbound';
import { SettingsReader } from '../../platform/settings';
import { ClientScopes } from '../clients/client-scopes';
import { ClientState } from '../clients/client-state';
import { Grants } from '../consents/grants';
import { refreshGrace } from '../provider.settings';
import { ArtifactAdapter } from '../storage/artifact-adapter';
import { ArtifactRepository } from '../storage/artifact.repository';
import { RefreshTokenAdapter } from '../storage/refresh-token-adapter';
import { Successors } from '../storage/successors';
import { VisitorAdapter } from '../storage/visitor-adapter';
import { Accounts, CLAIMS_OF_SCOPES } from './accounts';
import { AuthenticationContexts, acrValues } from './authentication-context';
import { ClientAdapter } from './client-adapter';
import { hintedUser } from './hinted-user';
import { errors, interactionPolicy } from './library';
import * as lifetimes from './lifetimes';
import { keepOfflineAccess } from './offline-access';
import { ProtocolPages } from './pages';
import { ProtocolLimiter } from './protocol-limiter';
import { Resources } from './resources';

export interface EngineOptions {
  readonly issuer: string;
  readonly jwks: JWKS;
  readonly par: boolean;
  readonly dpop: boolean;
}

const BASE = '/api/oauth';
const COOKIE = { httpOnly: true, sameSite: 'lax', signed: true, path: BASE } as const;
const OF_VISITORS: ReadonlySet<string> = new Set(['Interaction', 'Session']);

/** The library's settings: where it keeps things, whom it asks, and what of OAuth it leaves out. */
@Injectable()
export class EngineConfiguration {
  private readonly resourcesSeen = new WeakMap<object, Map<string, Promise<ResourceServer | undefined>>>();

  constructor(
    private readonly box: SecretBox,
    private readonly settings: SettingsReader,
    private readonly clients: ClientState,
    private readonly scopes: ClientScopes,
    private readonly limiter: ProtocolLimiter,
    private readonly outbound: Outbound,
    private readonly artifacts: ArtifactRepository,
    private readonly successors: Successors,
    private readonly accounts: Accounts,
    private readonly contexts: AuthenticationContexts,
    private readonly grants: Grants,
    private readonly resources: Resources,
    private readonly pages: ProtocolPages,
  ) {}

  of(options: EngineOptions): Configuration {
    return { ...this.storage(options), ...this.protocol(), ...this.people(options), features: this.features(options) };
  }

  private storage({ jwks }: EngineOptions): Configuration {
    return {
      adapter: (model) => this.adapterFor(model),
      jwks,
      cookies: {
        names: {
          session: 'castellan_oauth',
          interaction: 'castellan_oauth_interaction',
          resume: 'castellan_oauth_resume',
        },
        long: COOKIE,
        short: COOKIE,
        // The first signs, all verify: a change of keys ends no login that is under way.
        keys: this.box.macs('oauth_cookies', 'signature'),
      },
      ttl: {
        AccessToken: lifetimes.ACCESS_TOKEN_SECONDS,
        ClientCredentials: lifetimes.ACCESS_TOKEN_SECONDS,
        AuthorizationCode: lifetimes.CODE_SECONDS,
        IdToken: lifetimes.ID_TOKEN_SECONDS,
        RefreshToken: (_ctx, token) => lifetimes.refreshTokenSeconds(token),
        Interaction: lifetimes.INTERACTION_SECONDS,
        Session: (_ctx, { accountId }) => lifetimes.loginStateSeconds(accountId !== undefined),
        Grant: lifetimes.GRANT_SECONDS,
      },
    };
  }

  private protocol(): Configuration {
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
      pkce: { required: () => true },
      scopes: ['openid', 'offline_access'],
      claims: CLAIMS_OF_SCOPES,
      acrValues,
      enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
      allowOmittingSingleRegisteredRedirectUri: false,
      rotateRefreshToken: true,
      // Whose pages may read the answers is decided before a request gets here.
      clientBasedCORS: () => false,
      extraParams: { castellan: (ctx) => this.checkParameters(ctx) },
      fetch: (url, options) => this.call(new URL(url), options ?? {}),
    };
  }

  private people({ issuer }: EngineOptions): Configuration {
    return {
      findAccount: (_ctx, userId) => this.accounts.find(userId, issuer),
      loadExistingGrant: (ctx) => this.grants.load(ctx),
      interactions: {
        policy: promptPolicy(this.contexts.check()),
        url: (_ctx, { prompt, uid }) => `/${prompt.name}?interaction=${uid}`,
      },
      renderError: (ctx, out) => {
        this.pages.error(ctx, out);
      },
    };
  }

  private features({ par, dpop }: EngineOptions): Configuration['features'] {
    return {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      clientCredentials: { enabled: true },
      dPoP: { enabled: dpop },
      pushedAuthorizationRequests: { enabled: par },
      introspection: {
        enabled: true,
        // RFC 7662 §2.1: whoever proves nothing is told nothing.
        allowedPolicy: async (_ctx, client, token) =>
          client.clientAuthMethod !== 'none' && token.clientId === client.clientId,
      },
      revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => mayRevoke(client, token) },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: async (ctx, resource, client) => {
          const found = await this.resourceFor(ctx, resource, client.clientId);
          if (!found) throw new errors.InvalidTarget();
          return found;
        },
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          this.pages.logout(ctx, form);
        },
        postLogoutSuccessSource: (ctx) => {
          this.pages.loggedOut(ctx);
        },
      },
    };
  }

  /** Looked up once a request, however often it names the same: each look judges every scope of the client. */
  private resourceFor(
    ctx: KoaContextWithOIDC,
    resource: string,
    clientId: string,
  ): Promise<ResourceServer | undefined> {
    const userId = actingFor(ctx);
    const key = `${userId ?? ''} ${resource}`;
    const seen = this.resourcesSeen.get(ctx.req) ?? new Map<string, Promise<ResourceServer | undefined>>();
    const found = seen.get(key) ?? this.resources.find(resource, clientId, userId);
    this.resourcesSeen.set(ctx.req, seen.set(key, found));
    return found;
  }

  private async checkParameters(ctx: KoaContextWithOIDC): Promise<void> {
    refuseNul(ctx);
    await keepOfflineAccess(ctx);
    await this.requireScope(ctx);
  }

  /** RFC 6749 §3.3: nothing is given by default, and nothing by names that the client has not. */
  private async requireScope({ oidc }: KoaContextWithOIDC): Promise<void> {
    if (oidc.requestParamOIDCScopes.size > 0) return;
    const registered = oidc.client && (await this.clients.find(oidc.client.clientId));
    if ([...oidc.requestParamScopes].some((scope) => registered?.scopes.includes(scope))) return;
    throw new errors.CustomOIDCProviderError('invalid_scope', 'a scope of the client is required');
  }

  /** What an owner typed as the address for logouts is called like any other address somebody typed. */
  private async call({ href: url }: URL, { headers, body }: RequestInit): Promise<Response> {
    const answer = await this.outbound.call({
      url,
      method: 'POST',
      headers: Object.fromEntries(new Headers(headers)),
      body: body instanceof URLSearchParams ? body.toString() : '',
    });
    return new Response(null, { status: answer.status });
  }

  private adapterFor(model: string): Adapter {
    if (model === 'Client') return new ClientAdapter(this.clients, this.scopes, this.limiter);
    if (OF_VISITORS.has(model)) return new VisitorAdapter(model, this.artifacts, this.limiter);
    if (model !== 'RefreshToken') return new ArtifactAdapter(model, this.artifacts);
    return new RefreshTokenAdapter(this.artifacts, this.successors, () => this.settings.get(refreshGrace));
  }
}

/** A code's or token's account, or whoever is logged in; nobody where the client acts for itself. */
function actingFor({ oidc }: KoaContextWithOIDC): string | undefined {
  const { Account, AuthorizationCode, RefreshToken } = oidc.entities;
  return (
    Account?.accountId ??
    AuthorizationCode?.accountId ??
    RefreshToken?.accountId ??
    oidc.session?.accountId ??
    undefined
  );
}

/** Pushed ones come in a form, which nothing before has looked at. */
function refuseNul({ oidc }: KoaContextWithOIDC): void {
  const { params = {} } = oidc as { params?: Record<string, unknown> };
  if (JSON.stringify(Object.values(params)).includes('\\u0000')) {
    throw new errors.InvalidRequest('a parameter contains a NUL character');
  }
}

function mayRevoke(client: { clientId: string }, token: { clientId?: string | undefined }): boolean {
  if (token.clientId === client.clientId) return true;
  throw new errors.InvalidRequest('client is not authorized to revoke the presented token');
}

/** PKCE guards the codes of apps on devices, whose users are asked once, like everybody else. */
function promptPolicy(login: interactionPolicy.Check): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  policy.get('login')?.checks.remove('id_token_hint');
  policy.get('login')?.checks.add(login);
  policy.get('login')?.checks.add(hintedUser());
  policy.get('consent')?.checks.remove('native_client_prompt');
  return policy;
}
