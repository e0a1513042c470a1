import type { KoaContextWithOIDC } from 'oidc-provider';
import { redirectUriKind } from '../clients/redirect-uri';
import { interactionPolicy } from './library';

/**
 * Asks for consent each time where any program on the device could have sent the request in the application's name: a
 * public client with a loopback or private-scheme redirect (RFC 8252 §8.6). First-party clients are no exception.
 */
export const nativeConsent = (): interactionPolicy.Check =>
  new interactionPolicy.Check(
    'native_client_prompt',
    'native clients require End-User interaction',
    'consent_required',
    ({ oidc }: KoaContextWithOIDC) => isUnproven(oidc) && !oidc.result?.consent,
  );

function isUnproven({ client, params }: KoaContextWithOIDC['oidc']): boolean {
  return client?.clientAuthMethod === 'none' && redirectUriKind(String(params?.['redirect_uri'])) !== 'https';
}
