import type { components } from 'castellan-client';
import { useState } from 'react';
import { useClient } from './provider';
import { useSubmission, type SubmissionState } from './use-submission';

type Schemas = components['schemas'];

/** Body of `POST /api/auth/login`. */
export type LoginBody = Schemas['PasswordLoginDto' | 'EmailLoginDto' | 'SmsLoginDto' | 'PasskeyLoginDto'];

/** A login that needs a second factor: its methods, and the token for the next step. */
export type Challenge = Schemas['MfaRequiredDto'];

/** What proves the second factor. */
export type SecondFactor = Omit<Schemas['MfaChallengeDto'], 'mfa_token'>;

export type LoginOutcome = 'logged_in' | 'second_factor' | 'failed';

/** @typeParam Own bodies of the host's login methods: `{ type: 'badge'; badge: string }` */
export interface Login<Own extends object = never> extends SubmissionState {
  readonly logIn: (body: LoginBody | Own) => Promise<LoginOutcome>;
  /** Set when the first factor was right and a second one is needed. */
  readonly challenge: Challenge | undefined;
  readonly startAgain: () => void;
}

/**
 * Logs in, by any method of the service. `useSecondFactor` continues a login that has a `challenge`.
 *
 * @typeParam Own bodies of the host's login methods: `{ type: 'badge'; badge: string }`
 */
export function useLogin<Own extends object = never>(): Login<Own> {
  const client = useClient();
  const { send, clear, isPending, problem } = useSubmission();
  const [challenge, setChallenge] = useState<Challenge>();
  const logIn = async (body: LoginBody | Own): Promise<LoginOutcome> => {
    // The document of the service has its own login methods only.
    const data = (await send(() => client.POST('/api/auth/login', { body: body as LoginBody })))?.data;
    if (!data) return 'failed';
    if ('mfa_required' in data) {
      setChallenge(data);
      return 'second_factor';
    }
    return 'logged_in';
  };
  const startAgain = (): void => {
    clear();
    setChallenge(undefined);
  };
  return { logIn, challenge, startAgain, isPending, problem };
}

export interface SecondFactorLogin extends SubmissionState {
  /** Resolves to whether the user is logged in. */
  readonly prove: (proof: SecondFactor) => Promise<boolean>;
}

/** The second step of a login. */
export function useSecondFactor({ mfa_token }: Pick<Challenge, 'mfa_token'>): SecondFactorLogin {
  const client = useClient();
  const { send, isPending, problem } = useSubmission();
  const prove = async (proof: SecondFactor): Promise<boolean> => {
    const body = { mfa_token, ...proof };
    return (await send(() => client.POST('/api/auth/login/mfa', { body }))) !== undefined;
  };
  return { prove, isPending, problem };
}

export interface Logout extends SubmissionState {
  readonly logOut: () => Promise<boolean>;
}

/** Logs out, in all tabs. */
export function useLogout(): Logout {
  const client = useClient();
  const { send, isPending, problem } = useSubmission();
  const logOut = async (): Promise<boolean> => (await send(() => client.POST('/api/auth/logout'))) !== undefined;
  return { logOut, isPending, problem };
}
