import { Injectable } from '@nestjs/common';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { contextOf } from '../../../platform/context';
import { isDatabaseUnavailable } from '../../../platform/database';
import { FailureLogService } from '../../../platform/http/problems';
import { ClientUsageService } from '../clients/client-usage.service';
import { ConfirmedLogoutService } from './confirmed-logout.service';
import { ExpiredIdTokenHintService } from './expired-id-token-hint.service';
import { removeExtraSpaces } from './lenient-request';
import { errors } from '../core/library';
import { PromptOptions, supportedPrompts } from './prompts';
import { ProtocolPagesService } from './protocol-pages.service';
import { ReplayHandlerService } from './replay-handler.service';
import { replyOf, requestOf, routeOf } from '../core/request';
import { ResourceIntrospectionService } from './resource-introspection.service';
import { RevocationsService } from './revocations.service';
import { patchResponse, isJwtRejected } from './patch-response';
import { explainRejection } from './rejected-user';

type Next = () => Promise<void>;

/** No `form-action`, because forms may submit to an application's URL. The library adds the digest of its script. */
const PAGE_POLICY = "default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'";
const RETRY_SECONDS = '2';
const JSON_TYPE = 'application/json; charset=utf-8';
const NUL = /%00/;
const LOGOUT = '/oauth/logout';

/** Wraps every response of the library. */
@Injectable()
export class ProtocolMiddleware {
  constructor(
    private readonly uses: ClientUsageService,
    private readonly logout: ConfirmedLogoutService,
    private readonly replays: ReplayHandlerService,
    private readonly revocations: RevocationsService,
    private readonly introspection: ResourceIntrospectionService,
    private readonly pages: ProtocolPagesService,
    private readonly expiredHints: ExpiredIdTokenHintService,
    private readonly failureLog: FailureLogService,
  ) {}

  install(provider: Provider, issuer: string, prompts: PromptOptions): void {
    const failures = new WeakMap<object, unknown>();
    const revoked = new WeakMap<object, string>();
    provider.on('server_error', (ctx, error) => {
      failures.set(ctx.req, error);
    });
    provider.on('grant.revoked', (ctx, grantId) => {
      revoked.set(ctx.req, grantId);
    });
    provider.use(async (ctx: KoaContextWithOIDC, next: Next) => {
      const { origin } = contextOf(requestOf(ctx.req));
      Object.defineProperty(ctx.request, 'secure', { value: origin.secure });
      if (ctx.method === 'GET') ctx.set('content-security-policy', PAGE_POLICY);
      try {
        if (NUL.test(ctx.querystring)) this.rejectNul(ctx);
        else await this.proceed(ctx, next);
        await this.follow(ctx, revoked.get(ctx.req));
      } catch (error) {
        // These errors bypass the library's error handling: they occur while the response is saved or post-processed.
        if (error instanceof errors.OIDCProviderError) this.reject(ctx, error);
        else this.fail(ctx, error, failures);
      }
      patchResponse(ctx, issuer);
      explainRejection(ctx, issuer);
      this.answerFailure(ctx, failures.get(ctx.req));
      this.tidy(ctx);
      if (routeOf(ctx) === 'discovery') complete(ctx, issuer, supportedPrompts(prompts));
    });
  }

  private async proceed(ctx: KoaContextWithOIDC, next: Next): Promise<void> {
    if (ctx.query['id_token_hint'] !== undefined && ctx.path.endsWith(LOGOUT)) await this.expiredHints.replaceIn(ctx);
    removeExtraSpaces(ctx);
    await next();
  }

  /** No parameter may contain NUL, and PostgreSQL cannot store it. */
  private rejectNul(ctx: KoaContextWithOIDC): void {
    ctx.status = 400;
    this.pages.error(ctx, { error: 'invalid_request', error_description: 'a parameter contains a NUL character' });
  }

  private reject(
    ctx: KoaContextWithOIDC,
    { error, error_description: detail, statusCode }: errors.OIDCProviderError,
  ): void {
    ctx.status = statusCode;
    ctx.remove('location');
    this.pages.error(ctx, { error, error_description: detail ?? '' });
  }

  private fail(ctx: KoaContextWithOIDC, error: unknown, failures: WeakMap<object, unknown>): void {
    failures.set(ctx.req, error);
    this.answer(ctx, 500, { error: 'server_error', error_description: 'oops! something went wrong' });
  }

  private answer(ctx: KoaContextWithOIDC, status: number, body: object): void {
    ctx.status = status;
    ctx.remove('location');
    ctx.set('content-type', JSON_TYPE);
    ctx.set('cache-control', 'no-store');
    ctx.body = JSON.stringify(body);
  }

  private answerFailure(ctx: KoaContextWithOIDC, failure: unknown): void {
    if (failure === undefined) return;
    const requestId = contextOf(requestOf(ctx.req)).requestId;
    if (!isDatabaseUnavailable(failure)) {
      this.failureLog.defect(failure, requestId);
      return;
    }
    this.failureLog.unavailable(failure, requestId);
    ctx.set('retry-after', RETRY_SECONDS);
    this.answer(ctx, 503, { error: 'temporarily_unavailable', error_description: 'try again shortly' });
  }

  /** Replaces the library's CORS headers with those of this service. */
  private tidy(ctx: KoaContextWithOIDC): void {
    const reply = replyOf(ctx.req);
    for (const name of Object.keys(ctx.response.headers)) {
      if (name.startsWith('access-control-')) ctx.remove(name);
    }
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (name.startsWith('access-control-') && value !== undefined) ctx.set(name, String(value));
    }
    ctx.set('vary', 'Origin');
    if (ctx.status === 303 && ctx.method === 'GET') ctx.status = 302;
  }

  private async follow(ctx: KoaContextWithOIDC, revokedGrant: string | undefined): Promise<void> {
    const route = routeOf(ctx);
    if (route === 'introspection') await this.introspectJwt(ctx);
    if (route === 'token') await this.followToken(ctx, revokedGrant);
    if (route === 'revocation' && ctx.status === 200) await this.revocations.follow(ctx);
    if (route === 'end_session_confirm' && ctx.status === 303) await this.logout.follow(ctx);
  }

  /** Introspects JWTs, which the library does not support. */
  private async introspectJwt(ctx: KoaContextWithOIDC): Promise<void> {
    const { params = {} } = ctx.oidc as { params?: Record<string, unknown> };
    const { token } = params;
    if (!isJwtRejected(ctx) || !ctx.oidc.client || typeof token !== 'string') return;
    ctx.status = 200;
    ctx.body = await this.introspection.introspect(ctx.oidc.client.clientId, token);
  }

  private async followToken(ctx: KoaContextWithOIDC, revokedGrant: string | undefined): Promise<void> {
    const clientId = ctx.oidc.client?.clientId;
    if (ctx.status === 200 && clientId !== undefined) await this.uses.note(clientId, 'token');
    if (revokedGrant !== undefined) await this.replays.end(revokedGrant, ctx.oidc);
  }
}

/** Names the URL of all keys, and the prompts, in the discovery document. */
function complete(ctx: KoaContextWithOIDC, issuer: string, prompts: readonly string[]): void {
  const jwksUri = `${issuer}/.well-known/jwks.json`;
  Object.assign(ctx.body as object, { jwks_uri: jwksUri, prompt_values_supported: prompts });
}
