import { generateSync } from 'otplib';
import type { Answer, Problem, TestClient } from '../service/test-client';
import { PASSWORD, TestService } from '../service/test-service';

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

export interface FactorList {
  readonly items: { id: string; type: string; name: string; last_used_at: string | null; remaining?: number }[];
  readonly required: boolean;
}

/** A code that no authenticator app of a test shows. */
export const WRONG = '000000';

export const factorsOf = async (client: TestClient): Promise<FactorList> =>
  (await client.get<FactorList>('/api/auth/mfa')).body;

export const isLoggedIn = async (client: TestClient): Promise<boolean> =>
  (await client.get('/api/auth/me')).status === 200;

/** The actions recorded about a user in their order; an action that did not succeed is followed by its outcome. */
export async function actionsOn(service: TestService, username: string): Promise<string[]> {
  const events = await service.query<{ action: string; outcome: string }>(
    `SELECT action, outcome FROM audit_event WHERE target_label = $1 ORDER BY id`,
    [username],
  );
  return events.map(({ action, outcome: how }) => (how === 'success' ? action : `${action} ${how}`));
}

/** The TOTP code `steps` time steps from now. */
export function codeOf(secret: string, steps = 0): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + 30 * steps });
}

/** A TOTP code that is accepted now. Resets the record of used codes. */
export async function freshCode(service: TestService, secret: string): Promise<string> {
  await service.query('UPDATE mfa_totp SET last_step = 0 WHERE last_step IS NOT NULL');
  return codeOf(secret);
}

export async function enrolTotp(client: TestClient): Promise<Omit<Enrolled, 'username' | 'client'>> {
  const begun = await client.post<{ id: string; secret: string }>('/api/auth/mfa/totp');
  if (begun.status !== 201) throw new Error(`Could not begin the enrolment: ${begun.text}`);
  const { id, secret } = begun.body;
  const done = await client.post<{ recovery_codes: string[] }>(`/api/auth/mfa/totp/${id}/confirm`, {
    code: codeOf(secret),
  });
  if (done.status !== 200) throw new Error(`Could not confirm the enrolment: ${done.text}`);
  return { totpId: id, secret, recoveryCodes: done.body.recovery_codes };
}

/** A new user with an authenticator app. The client logged in with only the password, before the enrolment. */
export async function signUpEnrolled(service: TestService, username: string): Promise<Enrolled> {
  const client = await service.signUp(username);
  const other = await service.logIn(username);
  return { username, client, ...(await enrolTotp(other)) };
}

/** The first factor of a login. */
export function firstStep(client: TestClient, username: string): Promise<Answer<MfaRequired>> {
  return client.post<MfaRequired>('/api/auth/login', { type: 'password', username, password: PASSWORD });
}

export function secondStep(client: TestClient, body: object): Promise<Answer<Problem>> {
  return client.post<Problem>('/api/auth/login/mfa', body);
}

/** Status and code of a response as text. */
export const outcome = ({ status, body }: Answer<Problem>): string =>
  status < 300 ? String(status) : `${status} ${body.code}`;

/** Completes a login in two steps and trusts the browser. */
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

/** Whether a login in this browser requires the second factor. */
export const isAsked = async (browser: TestClient, username: string): Promise<boolean> =>
  (await firstStep(browser, username)).body.mfa_required ?? false;
