import type { KoaContextWithOIDC } from 'oidc-provider';
import { routeOf } from '../core/request';

interface Answer {
  readonly error?: string;
  readonly error_description?: string;
  readonly id_token?: string;
  scope?: string;
}

/** Routes that authenticate clients. */
const OF_CLIENTS: ReadonlySet<string> = new Set([
  'token',
  'introspection',
  'revocation',
  'pushed_authorization_request',
]);
const GRANT_NOT_ALLOWED = 'requested grant type is not allowed for this client';
/** Errors that the library reports as `invalid_request`, but RFC 6749 §5.2 as `invalid_client`. */
const NOT_AUTHENTICATED: ReadonlySet<string> = new Set([
  'no client authentication mechanism provided',
  'invalid authorization header value format',
  'client_id and client_secret in the authorization header are not properly encoded',
  'client_secret must be provided in the Authorization header',
]);

/** Fixes responses of the library that differ from the RFCs. */
export function patchResponse(ctx: KoaContextWithOIDC, issuer: string): void {
  const route = routeOf(ctx);
  if (route === undefined || !OF_CLIENTS.has(route)) return;
  const answer = (ctx.body ?? {}) as Answer;
  if (route === 'token' && ctx.status === 200) nameScope(answer);
  // RFC 7009 §2.2: the response is empty, and client libraries reject the content type that Koa sets for an empty text.
  if (route === 'revocation' && ctx.status === 200) ctx.remove('content-type');
  if (answer.error === 'invalid_request') patchError(ctx, answer.error_description ?? '', issuer);
}

/** Whether the library rejected introspection because the token is a JWT. RFC 7662 §2.2 has no such error. */
export const isJwtRejected = (ctx: KoaContextWithOIDC): boolean =>
  ((ctx.body ?? {}) as Answer).error === 'unsupported_token_type';

/**
 * RFC 6749 §3.3 does not allow an empty scope. If the access token has none, it accompanies an ID token for `openid`.
 */
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
