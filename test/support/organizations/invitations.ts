import { newId } from '../../../src/platform/crypto';
import { expectProblem } from '../service/expect-problem';
import { messagesTo } from '../receivers/inbox';
import { Answer, Problem, TestClient } from '../service/test-client';
import { TestService } from '../service/test-service';

export interface StoredOrganization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

export interface InvitationAnswer {
  readonly id: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly role_ids: string[];
  readonly inviter_id: string | null;
  readonly created_at: string;
  readonly sent_at: string;
  readonly expires_at: string;
}

export interface OpenInvitationAnswer {
  readonly organization: StoredOrganization & { readonly logo: string };
  readonly inviter: string | null;
  readonly channel: string;
  readonly contact: string;
  readonly look: { readonly name: string; readonly primary_color: string } | null;
  readonly account_exists: boolean;
  readonly expires_at: string;
}

let made = 0;

/** An organization with a slug that is unique in the test file. */
export async function storeOrganization(service: TestService, name = 'Acme'): Promise<StoredOrganization> {
  const organization = { id: newId(), slug: `acme-${++made}`, name };
  await service.query('INSERT INTO organization (id, slug, name, name_key) VALUES ($1, $2, $3, $4)', [
    organization.id,
    organization.slug,
    name,
    name.toLowerCase(),
  ]);
  return organization;
}

export const invite = <T = InvitationAnswer>(
  client: TestClient,
  { id }: Pick<StoredOrganization, 'id'>,
  body: object,
): Promise<Answer<T>> => client.post<T>(`/api/organization/${id}/invitations`, body);

/** What the invitation shows to the holder of the token. */
export const showInvitation = <T = OpenInvitationAnswer>(service: TestService, token: string): Promise<Answer<T>> =>
  service.client().get<T>(`/api/invitation/${token}`);

/** Expects that the token opens nothing. */
export async function expectUnknown(service: TestService, token: string): Promise<void> {
  expectProblem(await showInvitation<Problem>(service, token), 404, 'not_found');
  expectProblem(await service.client().post<Problem>('/api/invitation/show', { token }), 404, 'not_found');
  const user = await service.signUp(`anyone_${++made}`);
  expectProblem(await user.post<Problem>('/api/invitation/accept', { token }), 404, 'not_found');
}

/** The token in the newest message to the contact. Throws when there is none. */
export function lastToken(service: TestService, target: string): string {
  const [newest] = messagesTo(service, target);
  const token = newest && /\/invitation#([\w-]{43})(?![\w-])/.exec(newest.text)?.[1];
  if (token === undefined) throw new Error(`No invitation was sent to ${target}`);
  return token;
}

/** Invites the contact and returns the token. */
export async function invited(
  service: TestService,
  client: TestClient,
  organization: Pick<StoredOrganization, 'id'>,
  target: string,
  more: object = {},
): Promise<string> {
  const contact = target.includes('@') ? { email: target } : { phone: target };
  const answer = await invite(client, organization, { ...contact, ...more });
  if (answer.status !== 201) throw new Error(`Could not invite ${target}: ${answer.text}`);
  return lastToken(service, target);
}

/** The ids of the roles of the member in the organization; undefined for a user who is no member. */
export async function rolesThere(
  service: TestService,
  organization: Pick<StoredOrganization, 'id'>,
  username: string,
): Promise<string[] | undefined> {
  const rows = await service.query<{ role_id: string | null }>(
    `SELECT role.role_id FROM organization_member AS member JOIN user_account ON user_account.id = member.user_id
     LEFT JOIN organization_member_role AS role USING (organization_id, user_id)
     WHERE member.organization_id = $1 AND user_account.username = $2`,
    [organization.id, username],
  );
  return rows.length === 0 ? undefined : rows.flatMap(({ role_id: id }) => id ?? []).sort();
}
