import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { useState } from 'react';
import { useClient } from './provider';
import { type LoginOutcome, type SecondFactor, useLogin } from './use-login';
import { useSubmission, type SubmissionState } from './use-submission';

export interface Passkey extends SubmissionState {
  /** The user cancelled the browser's dialog, or the browser has no passkeys. */
  readonly isCancelled: boolean;
}

export interface PasskeyLogin extends Passkey {
  readonly logIn: (options?: { readonly remember?: boolean }) => Promise<LoginOutcome>;
  /** Forgets the error of the last attempt. */
  readonly startAgain: () => void;
}

/** Runs the browser's dialog; undefined when the user cancelled it. Loads the code for it when it is needed. */
async function whileShown<T>(
  dialog: (browser: typeof import('@simplewebauthn/browser')) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await dialog(await import('@simplewebauthn/browser'));
  } catch {
    return undefined;
  }
}

/** The OpenAPI document does not repeat the fields that WebAuthn defines. */
const requestOptions = (options: object): PublicKeyCredentialRequestOptionsJSON =>
  options as PublicKeyCredentialRequestOptionsJSON;
const creationOptions = (options: object): PublicKeyCredentialCreationOptionsJSON =>
  options as PublicKeyCredentialCreationOptionsJSON;

/** Logs in by a passkey of this device or of a phone. Call `logIn` in the handler of a click. */
export function usePasskeyLogin(): PasskeyLogin {
  const client = useClient();
  const login = useLogin();
  const options = useSubmission();
  const [isCancelled, setCancelled] = useState(false);
  const logIn = async ({ remember = true } = {}): Promise<LoginOutcome> => {
    setCancelled(false);
    const data = (await options.send(() => client.POST('/api/auth/login/passkey/options')))?.data;
    if (!data) return 'failed';
    const optionsJSON = requestOptions(data);
    const response = await whileShown(({ startAuthentication }) => startAuthentication({ optionsJSON }));
    setCancelled(!response);
    return response ? login.logIn({ type: 'passkey', response: { ...response }, remember }) : 'failed';
  };
  const startAgain = (): void => {
    setCancelled(false);
    options.clear();
    login.startAgain();
  };
  return {
    logIn,
    startAgain,
    isCancelled,
    isPending: options.isPending || login.isPending,
    problem: options.problem ?? login.problem,
  };
}

export interface PasskeySecondFactor extends Passkey {
  /** What proves the second factor, for `useSecondFactor`; undefined after an error or a cancelled dialog. */
  readonly choose: () => Promise<SecondFactor | undefined>;
}

/** Chooses a passkey as second factor of a login. */
export function usePasskeySecondFactor({ mfa_token }: { readonly mfa_token: string }): PasskeySecondFactor {
  const client = useClient();
  const { send, isPending, problem } = useSubmission();
  const [isCancelled, setCancelled] = useState(false);
  const choose = async (): Promise<SecondFactor | undefined> => {
    setCancelled(false);
    const data = (await send(() => client.POST('/api/auth/login/mfa/options', { body: { mfa_token } })))?.data;
    if (!data) return undefined;
    const optionsJSON = requestOptions(data);
    const response = await whileShown(({ startAuthentication }) => startAuthentication({ optionsJSON }));
    setCancelled(!response);
    return response && { method: 'passkey', response: { ...response } };
  };
  return { choose, isCancelled, isPending, problem };
}

export interface PasskeyRegistration extends Passkey {
  /** Resolves to whether the passkey was added. The service needs a recent login (`reauthentication_required`). */
  readonly add: (name: string) => Promise<boolean>;
}

/** Adds a passkey to the account of the logged-in user. */
export function usePasskeyRegistration(): PasskeyRegistration {
  const client = useClient();
  const { send, isPending, problem } = useSubmission();
  const [isCancelled, setCancelled] = useState(false);
  const add = async (name: string): Promise<boolean> => {
    setCancelled(false);
    const data = (await send(() => client.POST('/api/auth/passkeys/options')))?.data;
    if (!data) return false;
    const optionsJSON = creationOptions(data);
    const response = await whileShown(({ startRegistration }) => startRegistration({ optionsJSON }));
    setCancelled(!response);
    if (!response) return false;
    const body = { name, response: { ...response } };
    return (await send(() => client.POST('/api/auth/passkeys', { body }))) !== undefined;
  };
  return { add, isCancelled, isPending, problem };
}
