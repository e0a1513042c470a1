import { codeResend } from '../../../src/verification';
import { proveContacts } from '../../support/accounts/accounts';
import { expectProblem } from '../../support/service/expect-problem';
import {
  begin,
  beginBinding,
  comeBack,
  FakeProvider,
  FakeProviders,
  roundTrip,
} from '../../support/oauth/fake-providers';
import { firstCode } from '../../support/receivers/inbox';
import { invited, StoredOrganization, storeOrganization } from '../../support/organizations/invitations';
import { startWithProviders } from '../../support/oauth/service-with-providers';
import { Answer, Problem, TestClient } from '../../support/service/test-client';
import { PASSWORD, TestService } from '../../support/service/test-service';

interface Member {
  readonly username: string;
  readonly email: string;
  /** Logged in by password. */
  readonly client: TestClient;
}

let service: TestService;
let providers: FakeProviders;
let admin: TestClient;
/** Accepts its own provider and one for all users, and has proved a domain. */
let acme: StoredOrganization;
let idp: FakeProvider;
let hub: FakeProvider;
let other: FakeProvider;
let made = 0;

const NOT_ACCEPTED = 'login_method_not_accepted';
const unique = (name: string): string => `${name}_${++made}`;

async function organization(domain: string, methods: readonly string[] | null): Promise<StoredOrganization> {
  const stored = await storeOrganization(service, unique('Organization'));
  await service.query(
    `INSERT INTO organization_domain (organization_id, domain, txt_value, verified_at) VALUES ($1, $2, 'value', now())`,
    [stored.id, domain],
  );
  if (methods) await limit(stored, methods);
  return stored;
}

const limit = async ({ id }: StoredOrganization, methods: readonly string[]): Promise<void> => {
  const answer = await admin.patch(`/api/organization/${id}/settings`, { login_methods: methods });
  expect(answer.status).toBe(200);
};

async function member(
  domain: string,
  { of = [acme], isProven = true }: { of?: readonly StoredOrganization[]; isProven?: boolean } = {},
): Promise<Member> {
  const username = unique('way_in');
  const email = `${username}@${domain}`;
  const client = await service.signUp(username, { email });
  if (isProven) await proveContacts(service, username);
  await service.query(
    `INSERT INTO organization_member (organization_id, user_id)
     SELECT unnest($1::uuid[]), id FROM user_account WHERE username = $2`,
    [of.map(({ id }) => id), username],
  );
  return { username, email, client };
}

/** Logs in as the provider of acme says. */
async function throughProvider(email: string): Promise<TestClient> {
  idp.person(`subject ${email}`, { email, emailVerified: true });
  const browser = service.client();
  await roundTrip(browser, idp);
  return browser;
}

async function bindEmail(client: TestClient, email: string): Promise<Answer<Problem & { email: string }>> {
  await client.post('/api/auth/codes', { purpose: 'bind', channel: 'email', target: email });
  return client.patch('/api/auth/me', { email, email_code: await firstCode(service, email) });
}

const open = (client: TestClient): Promise<Answer<Problem>> => client.get(`/api/organization/${acme.id}`);

const identitiesOf = async (client: TestClient): Promise<readonly { id: string; provider: string }[]> =>
  (await client.get<{ items: { id: string; provider: string }[] }>('/api/auth/identities')).body.items;

beforeAll(async () => {
  ({ service, providers } = await startWithProviders());
  await service.set(codeResend, 0);
  admin = await service.admin();
  hub = providers.add({ name: 'hub' });
  other = providers.add({ name: 'other' });
  acme = await organization('acme.example', null);
  idp = providers.add({ name: 'acme', organizationId: acme.id, trustEmail: true });
  await limit(acme, ['oauth:acme', 'oauth:hub']);
});

afterAll(() => service.stop());

describe('the contacts of a member', () => {
  it('are not exchanged by a password for an address of another account at the provider', async () => {
    const { client, email } = await member('acme.example');
    const mine = `${unique('contractor')}@acme.example`;
    expectProblem(await open(client), 403, NOT_ACCEPTED);
    expectProblem(await bindEmail(client, mine), 403, NOT_ACCEPTED);
    expect((await client.get<{ email: string }>('/api/auth/me')).body.email).toBe(email);
    expectProblem(await open(await throughProvider(mine)), 401, 'unauthenticated');
  });

  it('are neither removed nor verified by a password', async () => {
    const { client } = await member('acme.example');
    expectProblem(await client.patch('/api/auth/me', { email: null }), 403, NOT_ACCEPTED);
    expectProblem(await client.patch('/api/auth/me', { email: 'x@private.example' }), 403, NOT_ACCEPTED);
    const { client: unproven } = await member('private.example', { isProven: false });
    const mine = `${unique('contractor')}@acme.example`;
    expect((await unproven.patch('/api/auth/me', { email: mine })).status).toBe(200);
    expectProblem(await bindEmail(unproven, mine), 403, NOT_ACCEPTED);
  });

  it('are not exchanged by a password while the organization has a provider, whatever their domain', async () => {
    const { client, username } = await member('private.example');
    expectProblem(await bindEmail(client, `${unique('me')}@private.example`), 403, NOT_ACCEPTED);
    await service.query(`UPDATE user_account SET phone = '+8613800000001', phone_verified = true WHERE username = $1`, [
      username,
    ]);
    expectProblem(await client.patch('/api/auth/me', { phone: null }), 403, NOT_ACCEPTED);
  });

  it('are not verified by an invitation', async () => {
    const { client, email } = await member('private.example', { isProven: false });
    const token = await invited(service, admin, await storeOrganization(service, unique('Other')), email);
    expectProblem(await client.post('/api/invitation/accept', { token }), 403, NOT_ACCEPTED);
  });

  it('are exchanged after a login by the provider', async () => {
    const { email } = await member('acme.example');
    const client = await throughProvider(email);
    const next = `${unique('renamed')}@acme.example`;
    expect((await bindEmail(client, next)).body.email).toBe(next);
    expect((await open(client)).status).toBe(200);
  });

  it('are exchanged only if each of the organizations accepts the login', async () => {
    const strict = await organization('strict.example', ['oauth:hub']);
    const { email } = await member('acme.example', { of: [acme, strict] });
    const client = await throughProvider(email);
    expect((await bindEmail(client, `${unique('renamed')}@acme.example`)).status).toBe(200);
    expectProblem(await bindEmail(client, `${unique('renamed')}@strict.example`), 403, NOT_ACCEPTED);
  });

  it('stay free with other profile values, and where no organization of the user is concerned', async () => {
    const { client } = await member('acme.example');
    expect((await client.patch('/api/auth/me', { nickname: 'Ann' })).status).toBe(200);
    const open = await organization('open.example', null);
    const { client: unlimited } = await member('open.example', { of: [open] });
    expect((await bindEmail(unlimited, `${unique('me')}@open.example`)).status).toBe(200);
    const domainOnly = await organization('domain.example', ['oauth:hub']);
    const { client: guest } = await member('private.example', { of: [domainOnly] });
    expect((await bindEmail(guest, `${unique('me')}@private.example`)).status).toBe(200);
    expectProblem(await bindEmail(guest, `${unique('me')}@domain.example`), 403, NOT_ACCEPTED);
    const stranger = await service.signUp(unique('stranger'));
    expect((await bindEmail(stranger, `${unique('me')}@acme.example`)).status).toBe(200);
  });

  it('are changed by administrators, and by a member with every permission', async () => {
    const { username } = await member('acme.example');
    const [row] = await service.query<{ id: string }>('SELECT id FROM user_account WHERE username = $1', [username]);
    const email = `${unique('set')}@acme.example`;
    expect((await admin.patch(`/api/user/${row!.id}`, { email, email_verified: true })).status).toBe(200);
    await service.query(
      `INSERT INTO organization_member (organization_id, user_id)
       SELECT $1, id FROM user_account WHERE username = 'admin'`,
      [acme.id],
    );
    expect((await bindEmail(admin, `${unique('admin')}@acme.example`)).status).toBe(200);
  });
});

describe('the third-party accounts of a member', () => {
  it('are not linked by a password if the organization accepts their provider', async () => {
    const { client } = await member('acme.example');
    expectProblem(await client.post('/api/oauth/bind/start', { name: 'hub' }), 403, NOT_ACCEPTED);
    expect(await beginBinding(client, other)).not.toBe('');
  });

  it('are not linked by a login that began before the membership', async () => {
    const { client, username } = await member('acme.example', { of: [] });
    const state = await beginBinding(client, hub);
    await service.query(
      `INSERT INTO organization_member (organization_id, user_id)
       SELECT $1, id FROM user_account WHERE username = $2`,
      [acme.id, username],
    );
    hub.person(unique('subject'));
    expectProblem(await comeBack(client, hub, state), 403, NOT_ACCEPTED);
    expect(await identitiesOf(client)).toEqual([]);
  });

  it('are not linked by a password on the way from their provider', async () => {
    const { username } = await member('acme.example');
    const browser = service.client();
    hub.person(unique('subject'));
    expect((await comeBack(browser, hub, await begin(browser, hub))).body.status).toBe('bind_required');
    const login = { type: 'password', username, password: PASSWORD };
    expect((await browser.post('/api/oauth/bind/login', login)).status).toBe(200);
    expect(await identitiesOf(browser)).toEqual([]);
    expectProblem(await open(browser), 403, NOT_ACCEPTED);
  });

  it('are linked and unlinked after a login by the provider, and unlinked by no password', async () => {
    const { client, email } = await member('acme.example');
    const provided = await throughProvider(email);
    hub.person(unique('subject'));
    expect((await comeBack(provided, hub, await beginBinding(provided, hub))).body.status).toBe('bound');
    const [first, ...more] = await identitiesOf(provided);
    expect(more).toHaveLength(1);
    expectProblem(await client.delete(`/api/auth/identities/${first!.id}`), 403, NOT_ACCEPTED);
    expect((await provided.delete(`/api/auth/identities/${first!.id}`)).status).toBe(204);
  });

  it('are linked and unlinked by a password if no organization accepts their provider', async () => {
    const { client } = await member('acme.example');
    other.person(unique('subject'));
    expect((await comeBack(client, other, await beginBinding(client, other))).body.status).toBe('bound');
    const [linked] = await identitiesOf(client);
    expect((await client.delete(`/api/auth/identities/${linked!.id}`)).status).toBe(204);
  });
});
