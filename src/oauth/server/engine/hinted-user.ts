import type { KoaContextWithOIDC } from 'oidc-provider';
import { unverifiedSubject } from '../../../platform/crypto';
import { errors, interactionPolicy } from '../core/library';

const MISMATCH = 'id_token_hint and authenticated subject do not match';

/**
 * Limits a login to the user of `id_token_hint` (OpenID Connect Core §3.1.2.1), also after the login page, where the
 * library no longer has the hint. A login of another user ends with an error instead of asking again.
 */
export const hintedUser = (): interactionPolicy.Check =>
  new interactionPolicy.Check('id_token_hint', MISMATCH, 'login_required', isOtherUser);

async function isOtherUser({ oidc }: KoaContextWithOIDC): Promise<boolean> {
  const hint = oidc.params?.['id_token_hint'];
  // The hint was verified when the request arrived, and a stored request cannot be changed.
  if (typeof hint !== 'string' || unverifiedSubject(hint) === oidc.session?.accountId) return false;
  if (oidc.result?.login) throw new errors.LoginRequired(MISMATCH);
  return true;
}
