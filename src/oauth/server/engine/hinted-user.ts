import type { KoaContextWithOIDC } from 'oidc-provider';
import { unverifiedSubject } from '../../../platform/crypto';
import { errors, interactionPolicy } from './library';

const MISMATCH = 'id_token_hint and authenticated subject do not match';

/**
 * Limits a login to the user of `id_token_hint` (OpenID Connect Core §3.1.2.1), also after the login page, where the
 * library's own check no longer has the hint. A login as another user does not loop.
 */
export const hintedUser = (): interactionPolicy.Check =>
  new interactionPolicy.Check('id_token_hint', MISMATCH, 'login_required', isSomebodyElse);

async function isSomebodyElse({ oidc }: KoaContextWithOIDC): Promise<boolean> {
  const hint = oidc.params?.['id_token_hint'];
  // Verified when the request arrived; a stored request cannot be changed.
  if (typeof hint !== 'string' || unverifiedSubject(hint) === oidc.session?.accountId) return false;
  if (oidc.result?.login) throw new errors.LoginRequired(MISMATCH);
  return true;
}
