import { codeResend } from '../../../src/verification';
import { proveContacts } from '../accounts/accounts';
import { UserWithGrants } from '../accounts/holders';
import { firstCode } from '../receivers/inbox';
import { OrganizationAnswer } from './organizations';
import { Answer, Problem, TestClient } from '../service/test-client';
import { TestService } from '../service/test-service';

export interface OrganizationSettingsAnswer {
  readonly name: string | null;
  readonly logo: string | null;
  readonly primary_color: string | null;
  readonly terms: string | null;
  readonly privacy: string | null;
  readonly support: string | null;
  readonly login_methods: string[] | null;
  readonly service: {
    readonly name: string;
    readonly primary_color: string;
    readonly login_methods: { readonly method: string; readonly label: string | null }[];
  };
}

export const settingsPath = ({ id }: Pick<OrganizationAnswer, 'id'>): string => `/api/organization/${id}/settings`;

export const changeSettings = <T = OrganizationSettingsAnswer & Problem>(
  client: TestClient,
  organization: Pick<OrganizationAnswer, 'id'>,
  body: object,
): Promise<Answer<T>> => client.patch<T>(settingsPath(organization), body);

/** Logs the user in by a code that is sent to a verified e-mail address, in another browser. */
export async function logInByCode(service: TestService, { username, client }: UserWithGrants): Promise<TestClient> {
  await service.set(codeResend, 0);
  const email = `${username}@example.com`;
  const changed = await client.patch('/api/auth/me', { email });
  if (changed.status !== 200) throw new Error(`Could not set the e-mail address: ${changed.text}`);
  await proveContacts(service, username);
  const browser = service.client();
  await browser.post('/api/auth/codes', { purpose: 'login', channel: 'email', target: email });
  const answer = await browser.post('/api/auth/login', { type: 'email', email, code: await firstCode(service, email) });
  if (answer.status !== 200) throw new Error(`Could not log in by a code: ${answer.text}`);
  return browser;
}
