import type { components, User } from 'castellan-client';
import { useClient } from './provider';
import { useSubmission, type SubmissionState } from './use-submission';

type Schemas = components['schemas'];

export interface Registration extends SubmissionState {
  /** Resolves to the new user, who is not logged in yet; undefined after an error. */
  readonly register: (body: Schemas['RegisterDto']) => Promise<User | undefined>;
}

/** Registers an account. */
export function useRegister(): Registration {
  const client = useClient();
  const { send, isPending, problem } = useSubmission();
  const register = async (body: Schemas['RegisterDto']): Promise<User | undefined> =>
    (await send(() => client.POST('/api/auth/register', { body })))?.data?.user;
  return { register, isPending, problem };
}

export interface CodeSending extends SubmissionState {
  /** Resolves to the lifetime of the code and the pause before the next one, in seconds; undefined after an error. */
  readonly sendCode: (body: Schemas['CodeRequestDto']) => Promise<Schemas['CodeSentDto'] | undefined>;
}

/** Sends a code to an e-mail address or a phone. */
export function useCode(): CodeSending {
  const client = useClient();
  const { send, isPending, problem } = useSubmission();
  const sendCode = async (body: Schemas['CodeRequestDto']): Promise<Schemas['CodeSentDto'] | undefined> =>
    (await send(() => client.POST('/api/auth/codes', { body })))?.data;
  return { sendCode, isPending, problem };
}

export interface PasswordReset extends SubmissionState {
  /** Resolves to whether the password is set. All sessions of the user have ended then. */
  readonly reset: (body: Schemas['ResetPasswordDto']) => Promise<boolean>;
}

/** Sets a new password by a code that `useCode` has sent. */
export function usePasswordReset(): PasswordReset {
  const client = useClient();
  const { send, isPending, problem } = useSubmission();
  const reset = async (body: Schemas['ResetPasswordDto']): Promise<boolean> =>
    (await send(() => client.POST('/api/auth/password/reset', { body }))) !== undefined;
  return { reset, isPending, problem };
}
