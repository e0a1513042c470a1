import { useEffect } from 'react';
import { api } from '../api/client';
import type { Info } from '../shared/info';
import { requestOptionsOf } from '../shared/passkeys';
import { PREVIEW_PATH } from '../shared/sign-in-draft';
import type { LoginBody } from './components/login-forms';

/** Returns whether the browser can offer passkeys in its autofill (WebAuthn, conditional mediation). */
async function canOffer(): Promise<boolean> {
  const credentials = window.PublicKeyCredential as typeof PublicKeyCredential | undefined;
  return (await credentials?.isConditionalMediationAvailable()) ?? false;
}

/** Returns the passkey that the user chooses from the suggestions of the username field. Shows nothing without one. */
async function chosenPasskey(isWanted: () => boolean): Promise<LoginBody | undefined> {
  if (!(await canOffer()) || !isWanted()) return undefined;
  const { data } = await api.POST('/api/auth/login/passkey/options');
  if (!data || !isWanted()) return undefined;
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const response = await startAuthentication({ optionsJSON: requestOptionsOf(data), useBrowserAutofill: true });
  return { type: 'passkey', response: { ...response } };
}

/**
 * Offers passkeys in the autofill of the username field until the passkey button is pressed. Returns whether the
 * service accepts passkeys.
 */
export function usePasskeyAutofill(info: Info, onLogin: (body: LoginBody) => void): boolean {
  const isEnabled = info.login_methods.some(({ type, enabled }) => type === 'passkey' && enabled);
  useEffect(() => {
    // The preview has no network.
    if (!isEnabled || location.pathname === PREVIEW_PATH) return;
    let wanted = true;
    chosenPasskey(() => wanted).then(
      (body) => {
        if (body && wanted) onLogin(body);
      },
      // The user did not choose a passkey, or chose another way.
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [isEnabled]);
  return isEnabled;
}
