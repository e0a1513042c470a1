import { codeResend, codesPerHourPerAddress, maxDailyCodes } from '../../../src/verification';
import { proveContacts } from './accounts';
import { testMessages, WITH_POST_OFFICE } from '../receivers/test-messages';
import { Answer, Problem, TestClient } from '../service/test-client';
import { eventually, TestService } from '../service/test-service';
import { Prepare, withService } from '../service/with-service';

export interface Person {
  readonly username: string;
  readonly email: string;
  readonly phone: string;
}

let made = 0;

/** Names and contacts that are unique in the test file. */
export function newPerson(): Person {
  const turn = ++made;
  return {
    username: `person${turn}`,
    email: `person${turn}@example.com`,
    phone: `+86138001${String(30_000 + turn)}`,
  };
}

/** As `withService`, with a service that sends codes to the post office without limits. */
export function withCodes(prepare: Prepare): void {
  withService(async (service) => {
    await service.set(codeResend, 0);
    await service.set(maxDailyCodes, -1);
    await service.set(codesPerHourPerAddress, 1_000);
    await prepare(service);
  }, WITH_POST_OFFICE);
}

/** Registers a user with verified contacts. */
export async function known(service: TestService): Promise<Person> {
  const person = newPerson();
  const { username, ...contacts } = person;
  await service.register(username, contacts);
  await proveContacts(service, username);
  return person;
}

/** Requests a code and waits until it has been sent. */
export async function codeFor(client: TestClient, purpose: string, target: string): Promise<string> {
  const before = testMessages.codes(target).length;
  const channel = target.includes('@') ? 'email' : 'sms';
  const answer = await client.post('/api/auth/codes', { purpose, channel, target });
  if (answer.status !== 202) throw new Error(`No code for ${purpose}: ${answer.text}`);
  await eventually(
    async () => testMessages.codes(target).length,
    (count) => count > before,
  );
  return testMessages.code(target);
}

/** A code that differs from this one. */
export const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000');

/** Status and code of an error response. */
export const errorOf = ({ status, body: { code } }: Answer<Problem>): [number, string] => [status, code];
