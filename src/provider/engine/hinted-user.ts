import type { KoaContextWithOIDC } from 'oidc-provider';
import { unverifiedSubject } from '../../platform/crypto';
import { errors, interactionPolicy } from './library';

const MISMATCH = 'id_token_hint and authenticated subject do not match';

/**
 * Holds a login to the user of `id_token_hint` (OpenID Connect Core §3.1.2.1), also after the login page, where the
 * library's own check has forgotten the hint. Whoever then is somebody else is not asked for ever.
 */
export const hintedUser = (): interactionPolicy.Check =>
  new interactionPolicy.Check('id_token_hint', MISMATCH, 'login_required', isSomebodyElse);

async function isSomebodyElse({ oidc }: KoaContextWithOIDC): Promise<boolean> {
  const hint = oidc.params?.['id_token_hint'];
  // Verified when the request came; what is kept of a request is nobody's to change.
  if (typeof hint !== 'string' || unverifiedSubject(hint) === oidc.session?.accountId) return false;
  if (oidc.result?.login) throw new errors.LoginRequired(MISMATCH);
  return true;
}
