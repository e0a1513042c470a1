import { useEffect } from 'react';
import { api } from '../api/client';
import type { Info } from '../shared/info';
import { requestOptionsOf } from '../shared/passkeys';
import type { LoginBody } from './parts/login-forms';

/** Whether the browser can offer passkeys among what it fills in (WebAuthn, conditional mediation). */
async function canOffer(): Promise<boolean> {
  const credentials = window.PublicKeyCredential as typeof PublicKeyCredential | undefined;
  return (await credentials?.isConditionalMediationAvailable()) ?? false;
}

/** A passkey chosen among the suggestions of the username field; nothing is said where none is. */
async function chosenPasskey(isWanted: () => boolean): Promise<LoginBody | undefined> {
  if (!(await canOffer()) || !isWanted()) return undefined;
  const { data } = await api.POST('/api/auth/login/passkey/options');
  if (!data || !isWanted()) return undefined;
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const response = await startAuthentication({ optionsJSON: requestOptionsOf(data), useBrowserAutofill: true });
  return { type: 'passkey', response: { ...response } };
}

/**
 * Offers passkeys beside the usernames the browser knows, and answers whether the service takes them at all; pressing the
 * passkey button takes their place.
 */
export function usePasskeyAutofill(info: Info, onLogin: (body: LoginBody) => void): boolean {
  const isEnabled = info.login_methods.some(({ type, enabled }) => type === 'passkey' && enabled);
  useEffect(() => {
    if (!isEnabled) return;
    let wanted = true;
    chosenPasskey(() => wanted).then(
      (body) => {
        if (body && wanted) onLogin(body);
      },
      // Not chosen, or given up for another way in.
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [isEnabled]);
  return isEnabled;
}
