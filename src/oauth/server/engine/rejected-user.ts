import type { IncomingMessage } from 'node:http';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { errors } from '../core/library';

/** For the application's developers, so it is not translated. */
export const NOT_ADMITTED = 'the user is not allowed to use this application';
const PAGE = '/error?code=application_access';

const rejected = new WeakSet<IncomingMessage>();

/** Ends an authorization request of a user who may not use the client, with `access_denied` (RFC 6749 §4.1.2.1). */
export function rejectUser({ req }: KoaContextWithOIDC, detail = NOT_ADMITTED): never {
  rejected.add(req);
  throw new errors.AccessDenied(detail);
}

/**
 * Adds `error_uri` (RFC 6749 §4.1.2.1) to the response: a page that explains the rejection to the user, to which the
 * application can link. Only to a query, because parameters of a fragment are in a fixed place.
 */
export function explainRejection(ctx: KoaContextWithOIDC, issuer: string): void {
  const location = ctx.response.get('location');
  if (!rejected.has(ctx.req) || !location.includes('?') || location.includes('#')) return;
  ctx.set('location', `${location}&error_uri=${encodeURIComponent(`${issuer}${PAGE}`)}`);
}
