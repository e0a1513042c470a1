import type { KoaContextWithOIDC } from 'oidc-provider';
import { errors } from './library';

const SCOPE = 'offline_access';

interface Params {
  scope?: string | undefined;
  response_type?: string | undefined;
}

/** The scope as it was asked for: in the address, in the pushed form, or in what was pushed before. */
function askedScope(ctx: KoaContextWithOIDC): string {
  const pushed = ctx.oidc.entities.PushedAuthorizationRequest?.request;
  const source = pushed === undefined ? ((ctx.oidc as { body?: unknown }).body ?? ctx.query) : claimsOf(pushed);
  const { scope } = source as { scope?: unknown };
  return typeof scope === 'string' ? scope : '';
}

function claimsOf(jwt: string): unknown {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
}

/**
 * The library drops `offline_access` where no `prompt=consent` is asked for. Here consent is asked for where it is not
 * remembered, whatever the prompt, so the scope is put back.
 */
export async function keepOfflineAccess(ctx: KoaContextWithOIDC): Promise<void> {
  const params = (ctx.oidc as { params?: Params }).params ?? {};
  const scopes = (params.scope ?? '').split(' ').filter(Boolean);
  if (scopes.includes(SCOPE) || !askedScope(ctx).split(' ').includes(SCOPE)) return;
  const { client } = ctx.oidc;
  if (!client?.grantTypeAllowed('refresh_token')) return;
  if (!client.scope?.split(' ').includes(SCOPE)) throw new errors.InvalidScope('requested scope is not allowed', SCOPE);
  params.scope = [...scopes, SCOPE].join(' ');
}
