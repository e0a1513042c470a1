import type { KoaContextWithOIDC } from 'oidc-provider';
import { routeOf } from './request';

interface Answer {
  readonly error?: string;
  readonly error_description?: string;
  readonly id_token?: string;
  scope?: string;
}

/** Where a client says who it is. */
const OF_CLIENTS: ReadonlySet<string> = new Set([
  'token',
  'introspection',
  'revocation',
  'pushed_authorization_request',
]);
const GRANT_NOT_ALLOWED = 'requested grant type is not allowed for this client';
/** What the library calls a bad request and RFC 6749 §5.2 a client that is not authenticated. */
const NOT_AUTHENTICATED: ReadonlySet<string> = new Set([
  'no client authentication mechanism provided',
  'invalid authorization header value format',
  'client_id and client_secret in the authorization header are not properly encoded',
  'client_secret must be provided in the Authorization header',
]);

/** Puts right what the library answers otherwise than its RFCs. */
export function patchResponse(ctx: KoaContextWithOIDC, issuer: string): void {
  const route = routeOf(ctx);
  if (route === undefined || !OF_CLIENTS.has(route)) return;
  const answer = (ctx.body ?? {}) as Answer;
  if (route === 'token' && ctx.status === 200) nameScope(answer);
  // RFC 7009 §2.2: the answer is empty, and libraries refuse the type that Koa gives an empty text.
  if (route === 'revocation' && ctx.status === 200) ctx.remove('content-type');
  if (answer.error === 'invalid_request') patchError(ctx, answer.error_description ?? '', issuer);
}

/** Whether introspection was refused because the token is a JWT (RFC 7662 §2.2 knows no such refusal). */
export const isJwtRefused = (ctx: KoaContextWithOIDC): boolean =>
  ((ctx.body ?? {}) as Answer).error === 'unsupported_token_type';

/** RFC 6749 §3.3 knows no empty scope: where the access token has none, it was given for the ID token beside it. */
function nameScope(answer: Answer): void {
  if (answer.scope === '' && answer.id_token !== undefined) answer.scope = 'openid';
}

function patchError(ctx: KoaContextWithOIDC, detail: string, issuer: string): void {
  if (detail === GRANT_NOT_ALLOWED) {
    ctx.body = { error: 'unauthorized_client', error_description: detail };
  } else if (NOT_AUTHENTICATED.has(detail)) {
    ctx.status = 401;
    ctx.set('www-authenticate', `Basic realm="${issuer}", error="invalid_client", error_description="${detail}"`);
    ctx.body = { error: 'invalid_client', error_description: detail };
  }
}
