import type { components } from 'castellan-client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { holderOf } from './account-store';
import { useAccount, useClient } from './provider';
import { type Submission, useSubmission, type SubmissionState } from './use-submission';

type Schemas = components['schemas'];

/** A second factor of the logged-in user: an app, a passkey, or the recovery codes. */
export type Factor = Schemas['FactorDto'];

export interface SecondFactors extends SubmissionState {
  /** Undefined until they are loaded. */
  readonly factors: readonly Factor[] | undefined;
  /** Whether the account must have one. */
  readonly isRequired: boolean;
  readonly reload: () => Promise<void>;
  /** Begins to set up an authenticator app: resolves to its secret, shown only once; undefined after an error. */
  readonly beginApp: () => Promise<Schemas['TotpEnrolmentDto'] | undefined>;
  /** Sets up the app by a code that it shows: resolves to new recovery codes, shown only once; undefined after an error. */
  readonly confirmApp: (id: string, code: string) => Promise<readonly string[] | undefined>;
  /** Replaces the recovery codes; they are shown only once. */
  readonly renewRecoveryCodes: () => Promise<readonly string[] | undefined>;
  /** Removes an app or a passkey. */
  readonly remove: (id: string) => Promise<boolean>;
}

interface Loaded {
  readonly factors: readonly Factor[] | undefined;
  readonly isRequired: boolean;
}

const UNKNOWN: Loaded = { factors: undefined, isRequired: false };

/**
 * The second factors of the logged-in user. Changes need a recent login: `reauthentication_required` asks for
 * `useReauthentication`. `usePasskeyRegistration` adds a passkey; call `reload` afterwards.
 */
export function useSecondFactors(): SecondFactors {
  const client = useClient();
  // Also while a second factor is due.
  const userId = holderOf(useAccount())?.id;
  const { send, isPending, problem } = useSubmission();
  const [loaded, setLoaded] = useState<Loaded>(UNKNOWN);
  const shown = useRef(userId);
  const reload = useCallback(async () => {
    const asked = shown.current;
    const { data } = await client.GET('/api/auth/mfa').catch(() => ({ data: undefined }));
    // Another user may have logged in meanwhile.
    if (data && shown.current === asked) setLoaded({ factors: data.items, isRequired: data.required });
  }, [client]);
  useEffect(() => {
    shown.current = userId;
    setLoaded(UNKNOWN);
    if (userId !== undefined) void reload();
  }, [userId, reload]);
  const change: Submission['send'] = async (call) => {
    const answer = await send(call);
    if (answer) await reload();
    return answer;
  };
  return {
    ...loaded,
    reload,
    beginApp: async () => (await send(() => client.POST('/api/auth/mfa/totp')))?.data,
    confirmApp: async (id, code) => {
      const options = { params: { path: { id } }, body: { code } };
      return (await change(() => client.POST('/api/auth/mfa/totp/{id}/confirm', options)))?.data?.recovery_codes;
    },
    renewRecoveryCodes: async () =>
      (await change(() => client.POST('/api/auth/mfa/recovery-codes')))?.data?.recovery_codes,
    remove: async (id) =>
      (await change(() => client.DELETE('/api/auth/mfa/{id}', { params: { path: { id } } }))) !== undefined,
    isPending,
    problem,
  };
}

export interface Reauthentication extends SubmissionState {
  /** Resolves to whether the login is recent now. */
  readonly reauthenticate: (body: Schemas['ReauthenticateDto']) => Promise<boolean>;
}

/**
 * Makes the login recent, by the password, a code or a second factor: what the service asks for by
 * `reauthentication_required` before it changes how the user logs in.
 */
export function useReauthentication(): Reauthentication {
  const client = useClient();
  const { send, isPending, problem } = useSubmission();
  const reauthenticate = async (body: Schemas['ReauthenticateDto']): Promise<boolean> =>
    (await send(() => client.POST('/api/auth/reauthenticate', { body }))) !== undefined;
  return { reauthenticate, isPending, problem };
}
