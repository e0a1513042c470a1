import { termsRequired, TermsService, termsVersion } from '../../src/users';
import { begin, comeBack, FakeProviders } from '../support/oauth/fake-providers';
import { offerLink } from '../support/oauth/offered-link';
import { resetTerms, TERMS_VERSION } from '../support/accounts/terms';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Accepted {
  readonly terms_version: string | null;
}

describe('terms at a provider', () => {
  let service: TestService;
  let providers: FakeProviders;
  let names = 0;

  withService(async (started) => {
    service = started;
    providers = new FakeProviders(service);
  });

  afterEach(() => resetTerms(service));

  afterAll(() => {
    FakeProviders.removeFrom(service);
  });

  const newName = (): string => `provided_terms_${++names}`;
  const require = async (): Promise<void> => {
    await service.set(termsVersion, TERMS_VERSION);
    await service.set(termsRequired, true);
  };
  const fieldsOf = ({ body }: Answer<Problem>): string[] =>
    (body.errors ?? []).map(({ field, code }) => `${field}: ${code}`);
  const me = async (client: TestClient): Promise<Accepted> => (await client.get<Accepted>('/api/auth/me')).body;

  it('must be accepted by a new user, also where accounts are created without asking', async () => {
    await require();
    const provider = providers.door({ trustEmail: true });
    const client = service.client();
    const back = await comeBack(client, provider, await begin(client, provider));
    expect(back.body.status).toBe('bind_required');
    const username = newName();
    const refused = await client.post<Problem>('/api/oauth/bind/register', { username });
    expect(fieldsOf(refused)).toEqual(['terms_accepted: terms_required']);
    const made = await client.post('/api/oauth/bind/register', { username, terms_accepted: TERMS_VERSION });
    expect(made.status).toBe(201);
    expect(await me(client)).toMatchObject({ terms_version: TERMS_VERSION });
  });

  it.each([{}, { terms_accepted: null }, { terms_accepted: '' }])('are optional unless required: %j', async (body) => {
    await service.set(termsVersion, TERMS_VERSION);
    const { client } = await offerLink(service, providers.add(), newName(), {});
    expect((await client.post('/api/oauth/bind/register', { username: newName(), ...body })).status).toBe(201);
    const newcomer = service.client();
    const door = providers.door();
    const back = await comeBack(newcomer, door, await begin(newcomer, door));
    expect(back.body.status).toBe('logged_in');
  });

  it('that become required during an automatic registration lead to the page that asks', async () => {
    await require();
    const check = jest.spyOn(service.app.get(TermsService, { strict: false }), 'isRequired');
    check.mockResolvedValueOnce(false);
    const provider = providers.door();
    const client = service.client();
    const back = await comeBack(client, provider, await begin(client, provider));
    check.mockRestore();
    expect([back.status, back.body.status]).toEqual([200, 'bind_required']);
  });

  it('that become required during parallel first logins of one person create one account at most', async () => {
    const provider = providers.door();
    provider.person('first logins', { nickname: 'Firstly' });
    const clients = Array.from({ length: 8 }, () => service.client());
    const states = await Promise.all(clients.map((client) => begin(client, provider)));
    const [answers] = await Promise.all([
      Promise.all(clients.map((client, index) => comeBack(client, provider, states[index]!))),
      require(),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(clients.map(() => 200));
    const stored = await service.query(
      `SELECT role.name FROM user_account AS account
       JOIN user_role ON user_role.user_id = account.id JOIN role ON role.id = user_role.role_id
       WHERE account.nickname = 'Firstly'`,
    );
    const isIn = answers.some(({ body }) => body.status === 'logged_in');
    expect(stored).toHaveLength(isIn ? 1 : 0);
  });

  it('need not be accepted by a user who links an account', async () => {
    const username = newName();
    await service.register(username);
    await require();
    const { client } = await offerLink(service, providers.add(), newName(), {});
    const linked = await client.post('/api/oauth/bind/login', { type: 'password', username, password: PASSWORD });
    expect(linked.status).toBe(200);
  });
});
