import type { KoaContextWithOIDC } from 'oidc-provider';

const SCOPE_SPACES = /^ +| +(?= |$)/g;
const SCHEME_SPACES = /^(\S+) {2,}/;

/**
 * Removes spaces that the library rejects: several after an authentication scheme, which RFC 9110 §11.4 allows, and those
 * around and between scopes, as templates with an empty part produce them.
 */
export function removeExtraSpaces(ctx: KoaContextWithOIDC): void {
  const { headers } = ctx.req;
  if (headers.authorization !== undefined) headers.authorization = headers.authorization.replace(SCHEME_SPACES, '$1 ');
  const { scope } = ctx.query;
  if (typeof scope !== 'string') return;
  const plain = scope.replace(SCOPE_SPACES, '');
  if (plain !== scope) ctx.query = { ...ctx.query, scope: plain };
}
