import { codeResend } from '../../../src/verification';
import { proveContacts } from '../../support/accounts/accounts';
import { expectProblem } from '../../support/service/expect-problem';
import { beginBinding, comeBack, FakeProvider, FakeProviders, roundTrip } from '../../support/oauth/fake-providers';
import { firstCode } from '../../support/receivers/inbox';
import { StoredOrganization, storeOrganization } from '../../support/organizations/invitations';
import { enrolTotp, freshCode } from '../../support/accounts/second-factors';
import { startWithProviders } from '../../support/oauth/service-with-providers';
import { Answer, Problem, TestClient } from '../../support/service/test-client';
import { PASSWORD, TestService } from '../../support/service/test-service';

interface Identity {
  readonly provider: string;
}

let service: TestService;
let providers: FakeProviders;
let acme: StoredOrganization;
let idp: FakeProvider;
let made = 0;

const MINE = 'member@acme.example';
/** What the provider says about the address, and the address that the account has verified. */
const OTHERS: readonly [string, { email: string; emailVerified: boolean }, { email: string; isProven: boolean }][] = [
  ['another address', { email: 'guest@acme.example', emailVerified: true }, { email: MINE, isProven: true }],
  [
    'an address that the provider has not verified',
    { email: MINE, emailVerified: false },
    { email: MINE, isProven: true },
  ],
  [
    'an address that the account has not verified',
    { email: MINE, emailVerified: true },
    { email: MINE, isProven: false },
  ],
];

const person = (email: string, emailVerified: boolean): void => {
  idp.person(`subject ${++made}`, { email, emailVerified });
};

/** A user with the address, and the provider as the only login of their organization. */
async function member(email: string, isProven: boolean): Promise<{ username: string; client: TestClient }> {
  const username = `org_identity_${++made}`;
  const client = await service.signUp(username, { email });
  if (isProven) await proveContacts(service, username);
  await service.query(
    `INSERT INTO organization_member (organization_id, user_id) SELECT $1, id FROM user_account WHERE username = $2`,
    [acme.id, username],
  );
  return { username, client };
}

const bindLogin = (client: TestClient, username: string): Promise<Answer<Problem & { mfa_token?: string }>> =>
  client.post('/api/oauth/bind/login', { type: 'password', username, password: PASSWORD });

const identitiesOf = async (client: TestClient): Promise<Identity[]> =>
  (await client.get<{ items: Identity[] }>('/api/auth/identities')).body.items;

const methodOf = async (username: string): Promise<unknown> => {
  const [session] = await service.query<{ method: string }>(
    `SELECT login_method AS method FROM session JOIN user_account ON user_account.id = user_id
     WHERE username = $1 ORDER BY session.created_at DESC LIMIT 1`,
    [username],
  );
  return session?.method;
};

beforeAll(async () => {
  ({ service, providers } = await startWithProviders());
  await service.set(codeResend, 0);
  acme = await storeOrganization(service);
  await service.query(
    `INSERT INTO organization_domain (organization_id, domain, txt_value, verified_at)
     VALUES ($1, 'acme.example', 'value', now())`,
    [acme.id],
  );
  idp = providers.add({ name: 'acme', organizationId: acme.id });
  const admin = await service.admin();
  await admin.patch(`/api/organization/${acme.id}/settings`, { login_methods: ['oauth:acme'] });
});

afterEach(() =>
  service.query(`UPDATE user_account SET email = NULL, email_key = NULL, email_verified = false
  WHERE email_key LIKE '%@acme.example'`),
);

afterAll(() => service.stop());

describe('an identity of an organization’s provider', () => {
  it.each(OTHERS)(
    'is not linked by a password for %s, and the login counts as one by password',
    async (_, theirs, mine) => {
      const { username } = await member(mine.email, mine.isProven);
      const browser = service.client();
      person(theirs.email, theirs.emailVerified);
      expect((await roundTrip(browser, idp)).body.status).toBe('bind_required');
      expect((await bindLogin(browser, username)).status).toBe(200);
      expect(await methodOf(username)).toBe('password');
      expectProblem(await browser.get(`/api/organization/${acme.id}`), 403, 'login_method_not_accepted');
      expect(await identitiesOf(browser)).toEqual([]);
      expect((await roundTrip(service.client(), idp)).body.status).toBe('bind_required');
      expectProblem(await bindLogin(browser, username), 401, 'temp_token_invalid');
    },
  );

  it('is not linked by a password and a second factor for another address', async () => {
    const { username, client } = await member(MINE, true);
    const { secret } = await enrolTotp(client);
    const browser = service.client();
    person('guest@acme.example', true);
    await roundTrip(browser, idp);
    const { body } = await bindLogin(browser, username);
    const answer = await browser.post('/api/oauth/bind/login', {
      mfa_token: body.mfa_token,
      method: 'totp',
      code: await freshCode(service, secret),
    });
    expect(answer.status).toBe(200);
    expect(await methodOf(username)).toBe('password');
    expect(await identitiesOf(browser)).toEqual([]);
  });

  it.each(OTHERS)('is not linked from the account page for %s', async (_, theirs, mine) => {
    const { client } = await member(mine.email, mine.isProven);
    person(theirs.email, theirs.emailVerified);
    const answer = await comeBack(client, idp, await beginBinding(client, idp));
    expectProblem(answer, 403, 'email_mismatch');
    expect(await identitiesOf(client)).toEqual([]);
  });

  it.each(OTHERS)('is not linked to a new account with %s', async (_, theirs, mine) => {
    const browser = service.client();
    person(theirs.email, theirs.emailVerified);
    await roundTrip(browser, idp);
    const username = `org_identity_${++made}`;
    const registration = {
      username,
      email: mine.email,
      ...(mine.isProven && { email_code: await codeFor(mine.email) }),
    };
    expectProblem(await browser.post('/api/oauth/bind/register', registration), 403, 'email_mismatch');
    expect(await service.query('SELECT 1 FROM user_account WHERE username = $1', [username])).toEqual([]);
  });

  it.each([
    ['without a verified address', { trustEmail: true }, false],
    ['whose address is not trusted', { trustEmail: false }, true],
  ])('is not linked by automatic registration %s', async (_, more, emailVerified) => {
    idp.change({ autoRegister: true, ...more });
    try {
      person(MINE, emailVerified);
      expect((await roundTrip(service.client(), idp)).body.status).toBe('bind_required');
    } finally {
      idp.change({ autoRegister: false, trustEmail: false });
    }
  });
});

describe('an identity with the address that the account has verified', () => {
  it('is linked by a password, and the login counts as one by the provider', async () => {
    const { username } = await member(MINE, true);
    const browser = service.client();
    person('Member@ACME.example', true);
    await roundTrip(browser, idp);
    expect((await bindLogin(browser, username)).status).toBe(200);
    expect(await methodOf(username)).toBe('oauth:acme');
    expect((await browser.get(`/api/organization/${acme.id}`)).status).toBe(200);
    expect((await roundTrip(service.client(), idp)).body.status).toBe('logged_in');
  });

  it('is linked from the account page and to a new account', async () => {
    const { client } = await member(MINE, true);
    person(MINE, true);
    expect((await comeBack(client, idp, await beginBinding(client, idp))).body.status).toBe('bound');
    const [browser, email] = [service.client(), 'newcomer@acme.example'];
    person(email, true);
    await roundTrip(browser, idp);
    const registration = { username: `org_identity_${++made}`, email, email_code: await codeFor(email) };
    expect((await browser.post('/api/oauth/bind/register', registration)).status).toBe(201);
    expect(await identitiesOf(browser)).toHaveLength(1);
  });
});

it('links identities of providers for everybody whatever their address', async () => {
  const everybody = providers.add({ name: 'everybody' });
  const username = `org_identity_${++made}`;
  await service.signUp(username);
  const browser = service.client();
  everybody.person(`subject ${++made}`, { email: 'any@where.example' });
  await roundTrip(browser, everybody);
  expect((await bindLogin(browser, username)).status).toBe(200);
  expect(await methodOf(username)).toBe('oauth:everybody');
});

async function codeFor(email: string): Promise<string> {
  await service.client().post('/api/auth/codes', { purpose: 'register', channel: 'email', target: email });
  return firstCode(service, email);
}
