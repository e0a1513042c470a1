import type { KoaContextWithOIDC } from 'oidc-provider';
import { routeOf } from './request';

interface Answer {
  readonly error?: string;
  readonly error_description?: string;
  scope?: string;
}

/** Where a client says who it is. */
const OF_CLIENTS: ReadonlySet<string> = new Set([
  'token',
  'introspection',
  'revocation',
  'pushed_authorization_request',
]);
/** Puts right what the library answers otherwise than its RFCs. */
export function correctAnswer(ctx: KoaContextWithOIDC): void {
  const route = routeOf(ctx);
  if (route === undefined || !OF_CLIENTS.has(route)) return;
  const answer = (ctx.body ?? {}) as Answer;
  if (route === 'introspection' && answer.error === 'unsupported_token_type') answerInactive(ctx);
  if (route === 'token' && ctx.status === 200) nameScope(answer);
}

/** RFC 7662 §2.2: whatever is no token that can be asked about here is not active, such as a JWT, which says all by itself. */
function answerInactive(ctx: KoaContextWithOIDC): void {
  ctx.status = 200;
  ctx.body = { active: false };
}

/** RFC 6749 §3.3 knows no empty scope: where the access token has none, it was given for the ID token beside it. */
function nameScope(answer: Answer): void {
  if (answer.scope === '') answer.scope = 'openid';
}
