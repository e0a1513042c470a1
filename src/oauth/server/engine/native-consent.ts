import type { KoaContextWithOIDC } from 'oidc-provider';
import { redirectUriKind } from '../clients/redirect-uri';
import { interactionPolicy } from '../core/library';

/**
 * Asks for consent every time if any program on the device could have sent the request in the application's name: for
 * public clients with a loopback or private-use redirect URI (RFC 8252 §8.6), including first-party clients.
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
