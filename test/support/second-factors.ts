import { generateSync } from 'otplib';
import type { Answer, Problem, TestClient } from './test-client';
import { PASSWORD, TestService } from './test-service';

export interface Enrolled {
  readonly username: string;
  readonly client: TestClient;
  readonly totpId: string;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

export interface MfaRequired {
  readonly mfa_required?: true;
  readonly mfa_token: string;
  readonly methods: string[];
}

/** The code of the step that is `steps` away from the present one. */
export function codeOf(secret: string, steps = 0): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + 30 * steps });
}

/** A code that is good now, as if none had been used before. */
export async function freshCode(service: TestService, secret: string): Promise<string> {
  await service.query('UPDATE mfa_totp SET last_step = 0 WHERE last_step IS NOT NULL');
  return codeOf(secret);
}

export async function enrolTotp(client: TestClient): Promise<Omit<Enrolled, 'username' | 'client'>> {
  const begun = await client.post<{ id: string; secret: string }>('/api/auth/mfa/totp');
  if (begun.status !== 201) throw new Error(`Could not begin: ${begun.text}`);
  const { id, secret } = begun.body;
  const done = await client.post<{ recovery_codes: string[] }>(`/api/auth/mfa/totp/${id}/confirm`, {
    code: codeOf(secret),
  });
  if (done.status !== 200) throw new Error(`Could not confirm: ${done.text}`);
  return { totpId: id, secret, recoveryCodes: done.body.recovery_codes };
}

/** A new user with an authenticator app, logged in by the password alone: before there was the app. */
export async function signUpEnrolled(service: TestService, username: string): Promise<Enrolled> {
  const client = await service.signUp(username);
  const other = await service.logIn(username);
  return { username, client, ...(await enrolTotp(other)) };
}

/** The first step of a login. */
export function firstStep(client: TestClient, username: string): Promise<Answer<MfaRequired>> {
  return client.post<MfaRequired>('/api/auth/login', { type: 'password', username, password: PASSWORD });
}

export function secondStep(client: TestClient, body: object): Promise<Answer<Problem>> {
  return client.post<Problem>('/api/auth/login/mfa', body);
}

/** What came of a request, in a word. */
export const outcome = ({ status, body }: Answer<Problem>): string =>
  status < 300 ? String(status) : `${status} ${body.code}`;

/** A login in two steps, after which the browser is trusted. */
export async function trustedBy(
  service: TestService,
  { username, secret }: Pick<Enrolled, 'username' | 'secret'>,
  browser = service.client(),
): Promise<TestClient> {
  await firstStep(browser, username);
  const body = { method: 'totp', code: await freshCode(service, secret), trust_device: true };
  expect(outcome(await secondStep(browser, body))).toBe('200');
  return browser;
}

/** Whether a login of the user's in the browser asks for the second factor. */
export const isAsked = async (browser: TestClient, username: string): Promise<boolean> =>
  (await firstStep(browser, username)).body.mfa_required ?? false;
