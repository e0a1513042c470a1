import { Injectable } from '@nestjs/common';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { contextOf } from '../../platform/context';
import { isDatabaseUnavailable } from '../../platform/database';
import { FailureLog } from '../../platform/problems';
import { SessionCookies, Sessions } from '../../session';
import { ClientUses } from '../clients/client-uses';
import { FormerHints } from './former-hints';
import { errors } from './library';
import { isLogout } from './logout-state';
import { ProtocolPages } from './pages';
import { Replays } from './replays';
import { loginOf, replyOf, requestOf, routeOf } from './request';
import { Revocations } from './revocations';
import { correctAnswer } from './rfc-answers';

type Next = () => Promise<void>;

/** Pages of the protocol: an application's address may be the target of a form, and the library adds its script's digest. */
const PAGE_POLICY = "default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'";
const RETRY_SECONDS = '2';
const JSON_TYPE = 'application/json; charset=utf-8';
const NUL = /%00/;
const LOGOUT = '/oauth/logout';

/** What the service adds around every answer of the library. */
@Injectable()
export class ProtocolMiddleware {
  constructor(
    private readonly uses: ClientUses,
    private readonly sessions: Sessions,
    private readonly cookies: SessionCookies,
    private readonly replays: Replays,
    private readonly revocations: Revocations,
    private readonly pages: ProtocolPages,
    private readonly formerHints: FormerHints,
    private readonly failureLog: FailureLog,
  ) {}

  install(provider: Provider, issuer: string): void {
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
        if (NUL.test(ctx.querystring)) this.refuseNul(ctx);
        else await this.proceed(ctx, next);
        await this.follow(ctx, revoked.get(ctx.req));
      } catch (error) {
        // Past the library's own handling: what it saves, and what we do, after the answer is made.
        if (error instanceof errors.OIDCProviderError) this.refuse(ctx, error);
        else this.fail(ctx, error, failures);
      }
      correctAnswer(ctx, issuer);
      this.answerFailure(ctx, failures.get(ctx.req));
      this.tidy(ctx, issuer);
    });
  }

  private async proceed(ctx: KoaContextWithOIDC, next: Next): Promise<void> {
    if (ctx.query['id_token_hint'] !== undefined && ctx.path.endsWith(LOGOUT)) await this.formerHints.replaceIn(ctx);
    await next();
  }

  /** No parameter means anything with it, and the database keeps no text that has it. */
  private refuseNul(ctx: KoaContextWithOIDC): void {
    ctx.status = 400;
    this.pages.error(ctx, { error: 'invalid_request', error_description: 'a parameter contains a NUL character' });
  }

  private refuse(
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

  /** Whose pages may read an answer was settled before; the one address of all keys is the service's. */
  private tidy(ctx: KoaContextWithOIDC, issuer: string): void {
    const reply = replyOf(ctx.req);
    for (const name of Object.keys(ctx.response.headers)) {
      if (name.startsWith('access-control-')) ctx.remove(name);
    }
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (name.startsWith('access-control-') && value !== undefined) ctx.set(name, String(value));
    }
    ctx.set('vary', 'Origin');
    if (ctx.status === 303 && ctx.method === 'GET') ctx.status = 302;
    if (routeOf(ctx) === 'discovery') {
      Object.assign(ctx.body as object, { jwks_uri: `${issuer}/.well-known/jwks.json` });
    }
  }

  private async follow(ctx: KoaContextWithOIDC, revokedGrant: string | undefined): Promise<void> {
    const route = routeOf(ctx);
    if (route === 'token') await this.followToken(ctx, revokedGrant);
    if (route === 'revocation' && ctx.status === 200) await this.revocations.follow(ctx);
    if (route === 'end_session_confirm' && ctx.status === 303) await this.followLogout(ctx);
  }

  private async followToken(ctx: KoaContextWithOIDC, revokedGrant: string | undefined): Promise<void> {
    const clientId = ctx.oidc.client?.clientId;
    if (ctx.status === 200 && clientId !== undefined) await this.uses.note(clientId);
    if (revokedGrant !== undefined) await this.replays.end(revokedGrant, clientId);
  }

  /** A logout from an application's side ends the service's own session, too, if the user said yes. */
  private async followLogout(ctx: KoaContextWithOIDC): Promise<void> {
    const login = loginOf(ctx.req);
    if (!login || !isLogout(ctx)) return;
    await this.sessions.logout(login.sessionId, login.userId);
    const reply = replyOf(ctx.req);
    await this.cookies.clear(requestOf(ctx.req), reply);
    for (const cookie of [reply.getHeader('set-cookie') ?? []].flat()) ctx.append('set-cookie', String(cookie));
  }
}
