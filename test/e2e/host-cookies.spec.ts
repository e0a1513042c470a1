import { KeepNamesOfCookies1760011000000 } from '../../migrations/1760011000000-keep-names-of-cookies';
import { cookieDomain, cookiePath, cookiePrefix } from '../../src/platform/http';
import { begin, comeBack, FakeProviders, roundTrip } from '../support/fake-providers';
import { hasServer } from '../support/on-server';
import { Answer, Method, Problem, SendOptions, TestClient } from '../support/test-client';
import { PASSWORD, TestService } from '../support/test-service';

/** A browser that reaches the service over https, at a host of its own. */
class HttpsClient extends TestClient {
  override send<T = Record<string, never>>(
    method: Method,
    path: string,
    options: SendOptions = {},
  ): Promise<Answer<T>> {
    const headers = { host: 'id.example.com', 'x-forwarded-proto': 'https', ...options.headers };
    return super.send<T>(method, path, { ...options, headers });
  }
}

const logIn = (client: TestClient): Promise<Answer<Problem>> =>
  client.post<Problem>('/api/auth/login', { type: 'password', username: 'ann', password: PASSWORD });

const names = (answer: Answer<unknown>): string[] =>
  answer.setCookies.map((line) => line.slice(0, line.indexOf('='))).sort();

/** What browsers ask of a cookie whose name begins with `__Host-` (RFC 6265bis §4.1.3.2). */
function expectHostBound(lines: readonly string[]): void {
  for (const line of lines) {
    const attributes = line.split('; ').slice(1);
    expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'Secure', 'HttpOnly']));
    expect(line).not.toContain('Domain=');
  }
}

describe('cookies of this host alone', () => {
  let service: TestService;
  let providers: FakeProviders;

  beforeAll(async () => {
    service = await TestService.start({ environment: { ALLOWED_HOSTS: 'localhost,id.example.com' } });
    providers = new FakeProviders(service);
    await service.register('ann');
  });

  afterEach(async () => {
    await service.set(cookiePrefix, 'iam');
    await service.set(cookiePath, '/');
    await service.set(cookieDomain, '');
  });

  afterAll(() => service.stop());

  const browser = (): TestClient => new HttpsClient(service.app);

  it('have the prefix over https, in development too, where session cookies keep theirs', async () => {
    const answer = await logIn(browser());
    expect(names(answer)).toEqual(['__Host-iam_device', 'iam_access', 'iam_refresh']);
    expectHostBound(answer.setCookies.filter((line) => line.startsWith('__Host-')));
  });

  it('have neither the path nor the domain of session cookies, over http either', async () => {
    await service.set(cookiePath, '/api');
    await service.set(cookieDomain, 'example.com');
    const secure = await logIn(browser());
    expectHostBound(secure.setCookies.filter((line) => line.startsWith('__Host-iam_device=')));
    const plain = await logIn(service.client());
    const device = plain.setCookies.find((line) => line.startsWith('iam_device='))!;
    expect(device.split('; ')).toContain('Path=/');
    expect(device).not.toContain('Domain=');
  });

  it('have the prefix once, whatever prefix the settings name', async () => {
    await service.set(cookiePrefix, '__Secure-shop');
    expect(names(await logIn(browser()))).toContain('__Host-shop_device');
  });

  it('replace those of their former name, which are expired where the browser sent them', async () => {
    const client = browser();
    await service.set(cookiePrefix, 'former');
    await logIn(client);
    client.jar.set('iam_device', 'from-another-time');
    await service.set(cookiePrefix, 'iam');
    const answer = await logIn(client);
    const expired = answer.setCookies.filter((line) => line.includes('Max-Age=0')).map((line) => line.split('=')[0]);
    expect(expired).toEqual(expect.arrayContaining(['__Host-former_device', 'former_access', 'iam_device']));
    expect([...client.jar.keys()].sort()).toEqual(['__Host-iam_device', 'iam_access', 'iam_refresh']);
  });

  it('keep the language under the name that a page is given, and under no other', async () => {
    const info = await browser().get<{ cookie_prefix: string }>('/api/info');
    expect(info.body.cookie_prefix).toBe('__Host-iam');
    const title = async (cookie: string): Promise<string> =>
      (await browser().get<Problem>('/api/auth/me', { cookie })).body.title;
    expect(await title('__Host-iam_lang=zh')).toBe('需要登录');
    expect(await title('iam_lang=zh')).toBe('Login required');
  });

  describe('of a login at a provider', () => {
    it('carry a secret drawn for it, beside those of logins that the browser began before', async () => {
      const client = browser();
      const [one, other] = [providers.door(), providers.door()];
      const first = await begin(client, one);
      const secret = client.jar.get('__Host-iam_oauth')!;
      const second = await begin(client, other);
      expect(client.jar.get('__Host-iam_oauth')).toMatch(new RegExp(`^[\\w-]{43}~${secret}$`));
      expect((await comeBack(client, one, first)).body.status).toBe('logged_in');
      expect((await comeBack(client, other, second)).body.status).toBe('logged_in');
    });

    it('never adopt a secret that was sent for the login that begins', async () => {
      const thief = browser();
      await begin(thief, providers.door());
      const known = thief.jar.get('__Host-iam_oauth')!;
      const victim = browser();
      victim.jar.set('__Host-iam_oauth', known);
      const door = providers.door();
      const state = await begin(victim, door);
      expect((await comeBack(thief, door, state)).body.code).toBe('state_invalid');
    });

    it('are not read where another host of the domain could have set them', async () => {
      const thief = browser();
      const provider = providers.add();
      provider.person('the stranger');
      await roundTrip(thief, provider);
      const [flow, ticket] = ['__Host-iam_oauth', '__Host-iam_bind'].map((name) => thief.jar.get(name) ?? '');
      expect((await thief.get('/api/oauth/bind')).status).toBe(200);
      const victim = browser();
      victim.jar.set('iam_oauth', flow!);
      victim.jar.set('iam_bind', ticket!);
      const shown = await victim.get<Problem>('/api/oauth/bind');
      expect([shown.status, shown.body.code]).toEqual([401, 'temp_token_invalid']);
      const linked = await victim.post<Problem>('/api/oauth/bind/login', {
        type: 'password',
        username: 'ann',
        password: PASSWORD,
      });
      expect([linked.status, linked.body.code]).toEqual([401, 'temp_token_invalid']);
      const stranger = `SELECT 1 FROM user_identity_subject WHERE subject = 'the stranger'`;
      expect(await service.query(stranger)).toHaveLength(0);
    });
  });
});

(hasServer ? describe : describe.skip)('session cookies in production', () => {
  const environment = { NODE_ENV: 'production', PUBLIC_URL: 'https://id.example.com' };
  let service: TestService;
  const browser = (): TestClient => new HttpsClient(service.app);

  beforeEach(async () => {
    service = await TestService.start({ environment });
    await browser().post('/api/auth/register', { username: 'ann', password: PASSWORD });
  });

  afterEach(() => service.stop());

  it('begin with __Host- in a fresh database', async () => {
    const client = browser();
    const answer = await logIn(client);
    expect(names(answer)).toEqual(['__Host-iam_access', '__Host-iam_device', '__Host-iam_refresh']);
    expectHostBound(answer.setCookies);
    expect((await client.get('/api/auth/me')).status).toBe(200);
    expect((await client.post('/api/auth/refresh')).status).toBe(200);
    const info = await client.get<{ cookie_prefix: string }>('/api/info');
    expect(info.body.cookie_prefix).toBe('__Host-iam');
  });

  it('are not read under a bare name that was never given', async () => {
    const client = browser();
    await logIn(client);
    const cookie = client.cookie.replaceAll('__Host-', '');
    expect((await client.get('/api/auth/me', { cookie })).status).toBe(401);
    expect((await client.post('/api/auth/refresh', undefined, { cookie })).status).toBe(401);
  });

  it('go without it where the settings give them a domain, and all stay logged in', async () => {
    const client = browser();
    await logIn(client);
    await service.set(cookieDomain, 'example.com');
    expect((await client.get('/api/auth/me')).status).toBe(200);
    const refreshed = await client.post('/api/auth/refresh');
    expect(refreshed.status).toBe(200);
    expect([...client.jar.keys()].sort()).toEqual(['__Host-iam_device', 'iam_access', 'iam_refresh']);
  });

  describe('of a database that had users before', () => {
    let upgraded: TestService;

    beforeEach(async () => {
      const query = (sql: string, parameters: unknown[] = []): Promise<unknown> => service.query(sql, parameters);
      await new KeepNamesOfCookies1760011000000().up({ query } as never);
      upgraded = await service.another();
    });

    const visitor = (): TestClient => new HttpsClient(upgraded.app);

    it('keep their names, until the setting is put back to its default', async () => {
      const client = visitor();
      expect(names(await logIn(client))).toEqual(['__Host-iam_device', 'iam_access', 'iam_refresh']);
      await upgraded.query(`UPDATE setting SET value = NULL, version = version + 1 WHERE key = 'jwt.cookie_prefix'`);
      await upgraded.query(
        `INSERT INTO setting_history (key, version, from_value, to_value) VALUES ('jwt.cookie_prefix', 2, '"iam"', NULL)`,
      );
      upgraded = await service.another();
      const later = visitor();
      expect(names(await logIn(later))).toContain('__Host-iam_access');
      const [old, young] = [client.cookie, later.cookie.replaceAll('__Host-', '')];
      expect((await visitor().get('/api/auth/me', { cookie: old })).status).toBe(200);
      await upgraded.query(`UPDATE setting_history SET changed_at = now() - interval '1 hour'`);
      upgraded = await service.another();
      expect((await visitor().get('/api/auth/me', { cookie: young })).status).toBe(401);
      expect((await visitor().post('/api/auth/refresh', undefined, { cookie: young })).status).toBe(401);
    });

    it('leave a prefix alone that was set before', async () => {
      await upgraded.query(`UPDATE setting SET value = '"shop"' WHERE key = 'jwt.cookie_prefix'`);
      const query = (sql: string, parameters: unknown[] = []): Promise<unknown> => service.query(sql, parameters);
      await new KeepNamesOfCookies1760011000000().up({ query } as never);
      expect(await service.query(`SELECT value FROM setting WHERE key = 'jwt.cookie_prefix'`)).toEqual([
        { value: 'shop' },
      ]);
    });
  });
});
