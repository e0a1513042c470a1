import { api } from '../api/client';
import type { components } from '../api/schema';
import { requestOptionsOf } from '../shared/passkeys';
import type { Me } from './me';
import type { WantedProof } from './wanted-proof';

/** A way to prove who the user is. */
export type Way = 'password' | 'email' | 'sms' | 'totp' | 'passkey' | 'recovery';

const factors = ['totp', 'passkey', 'recovery'] as const;

/** The ways that the user has. Throws the problem if the user's factors cannot be loaded. */
export async function waysOf(me: Me, wanted: WantedProof): Promise<Way[]> {
  const { data, error } = await api.GET('/api/auth/mfa');
  // oxlint-disable-next-line typescript/only-throw-error -- the caller shows the problem
  if (!data) throw error;
  const held = factors.filter((factor) => data.items.some(({ type }) => type === factor));
  if (wanted === 'second') return held;
  return [
    ...held.filter((factor) => factor === 'passkey'),
    ...(me.has_password ? (['password'] as const) : []),
    ...(me.email_verified ? (['email'] as const) : []),
    ...(me.phone_verified ? (['sms'] as const) : []),
  ];
}

/**
 * Returns the request body of the proof, or undefined if the user cancelled the passkey dialog. Throws the problem if
 * the passkey options cannot be loaded.
 */
async function proofOf(way: Way, text: string): Promise<components['schemas']['ReauthenticateDto'] | undefined> {
  if (way === 'password') return { password: text };
  if (way === 'email' || way === 'sms') return { channel: way, code: text };
  if (way !== 'passkey') return { method: way, code: text };
  const { data, error } = await api.POST('/api/auth/reauthenticate/options');
  // oxlint-disable-next-line typescript/only-throw-error -- the caller shows the problem
  if (!data) throw error;
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const response = await startAuthentication({ optionsJSON: requestOptionsOf(data) }).catch(() => undefined);
  return response && { method: way, response: { ...response } };
}

type Outcome = 'proven' | 'no_passkey' | { readonly error: unknown };

/** Sends the proof. */
export async function prove(way: Way, text: string): Promise<Outcome> {
  try {
    const body = await proofOf(way, text);
    if (!body) return 'no_passkey';
    const { error, response } = await api.POST('/api/auth/reauthenticate', { body });
    return response.ok ? 'proven' : { error };
  } catch (error) {
    return { error };
  }
}
