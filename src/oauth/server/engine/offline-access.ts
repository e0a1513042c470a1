import type { KoaContextWithOIDC } from 'oidc-provider';
import { errors } from '../core/library';

const SCOPE = 'offline_access';

interface Params {
  scope?: string | undefined;
  response_type?: string | undefined;
}

/** The requested scope: from the query, the pushed form, or the pushed request. */
function requestedScope(ctx: KoaContextWithOIDC): string {
  const pushed = ctx.oidc.entities.PushedAuthorizationRequest?.request;
  const source = pushed === undefined ? ((ctx.oidc as { body?: unknown }).body ?? ctx.query) : claimsOf(pushed);
  const { scope } = source as { scope?: unknown };
  return typeof scope === 'string' ? scope : '';
}

function claimsOf(jwt: string): unknown {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
}

/**
 * Restores `offline_access`, which the library drops without `prompt=consent`. This service asks for consent whenever
 * it is not stored, regardless of the prompt.
 */
export async function keepOfflineAccess(ctx: KoaContextWithOIDC): Promise<void> {
  const params = (ctx.oidc as { params?: Params }).params ?? {};
  const scopes = (params.scope ?? '').split(' ').filter(Boolean);
  if (scopes.includes(SCOPE) || !requestedScope(ctx).split(' ').includes(SCOPE)) return;
  const { client } = ctx.oidc;
  if (!client?.grantTypeAllowed('refresh_token')) return;
  if (!client.scope?.split(' ').includes(SCOPE)) throw new errors.InvalidScope('requested scope is not allowed', SCOPE);
  params.scope = [...scopes, SCOPE].join(' ');
}
