import { KeepNamesOfCookies1760011000000 } from '../../migrations/1760011000000-keep-names-of-cookies';
import { KeepNamesBesideADomain1760061000000 } from '../../migrations/1760061000000-keep-names-beside-a-domain';
import { cookieDomain, cookiePath, cookiePrefix, shareRefreshCookie } from '../../src/platform/http';
import { expectProblem } from '../support/service/expect-problem';
import { begin, comeBack, FakeProviders, roundTrip } from '../support/oauth/fake-providers';
import { hasServer } from '../support/service/on-server';
import { Answer, Method, Problem, SendOptions, TestClient } from '../support/service/test-client';
import { IN_PRODUCTION, PASSWORD, TestService } from '../support/service/test-service';
import { withServicePerTest } from '../support/service/with-service';

const PRODUCTION = { environment: IN_PRODUCTION };

/** A browser that reaches the service over https at its own host name. */
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

/** Requirements of browsers for a cookie with the prefix `__Host-` (RFC 6265bis §4.1.3.2). */
function expectHostBound(lines: readonly string[]): void {
  for (const line of lines) {
    const attributes = line.split('; ').slice(1);
    expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'Secure', 'HttpOnly']));
    expect(line).not.toContain('Domain=');
  }
}

describe('host-only cookies', () => {
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

  it('have the prefix over https, also in development where session cookies lack it', async () => {
    const answer = await logIn(browser());
    expect(names(answer)).toEqual(['__Host-iam_device', 'iam_access', 'iam_refresh']);
    expectHostBound(answer.setCookies.filter((line) => line.startsWith('__Host-')));
  });

  it('ignore the path and domain of session cookies, over http too', async () => {
    await service.set(cookiePath, '/api');
    await service.set(cookieDomain, 'example.com');
    const secure = await logIn(browser());
    expectHostBound(secure.setCookies.filter((line) => line.startsWith('__Host-iam_device=')));
    const plain = await logIn(service.client());
    const device = plain.setCookies.find((line) => line.startsWith('iam_device='))!;
    expect(device.split('; ')).toContain('Path=/');
    expect(device).not.toContain('Domain=');
  });

  it('have the prefix once, whatever prefix the settings contain', async () => {
    await service.set(cookiePrefix, '__Secure-shop');
    expect(names(await logIn(browser()))).toContain('__Host-shop_device');
  });

  it('replace the cookies of the previous name, which are expired when the browser sends them', async () => {
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

  it('read the language only under the name that /api/info returns', async () => {
    const info = await browser().get<{ cookie_prefix: string }>('/api/info');
    expect(info.body.cookie_prefix).toBe('__Host-iam');
    const title = async (cookie: string): Promise<string> =>
      (await browser().get<Problem>('/api/auth/me', { cookie })).body.title;
    expect(await title('__Host-iam_lang=zh')).toBe('需要登录');
    expect(await title('iam_lang=zh')).toBe('Login required');
  });

  describe('of a login at a provider', () => {
    it('contain a new secret, beside those of logins that started earlier', async () => {
      const client = browser();
      const [one, other] = [providers.door(), providers.door()];
      const first = await begin(client, one);
      const secret = client.jar.get('__Host-iam_oauth')!;
      const second = await begin(client, other);
      expect(client.jar.get('__Host-iam_oauth')).toMatch(new RegExp(`^[\\w-]{43}~${secret}$`));
      expect((await comeBack(client, one, first)).body.status).toBe('logged_in');
      expect((await comeBack(client, other, second)).body.status).toBe('logged_in');
    });

    it('never reuse a secret that the browser sent', async () => {
      const thief = browser();
      await begin(thief, providers.door());
      const known = thief.jar.get('__Host-iam_oauth')!;
      const victim = browser();
      victim.jar.set('__Host-iam_oauth', known);
      const door = providers.door();
      const state = await begin(victim, door);
      expectProblem(await comeBack(thief, door, state), 400, 'state_invalid');
    });

    it('are not read under a name that a sibling host could set', async () => {
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
      expectProblem(shown, 401, 'temp_token_invalid');
      const linked = await victim.post<Problem>('/api/oauth/bind/login', {
        type: 'password',
        username: 'ann',
        password: PASSWORD,
      });
      expectProblem(linked, 401, 'temp_token_invalid');
      const stranger = `SELECT 1 FROM user_identity_subject WHERE subject = 'the stranger'`;
      expect(await service.query(stranger)).toHaveLength(0);
    });
  });
});

(hasServer ? describe : describe.skip)('session cookies in production', () => {
  let service: TestService;
  const browser = (): TestClient => new HttpsClient(service.app);

  withServicePerTest(async (started) => {
    service = started;
    await browser().post('/api/auth/register', { username: 'ann', password: PASSWORD });
  }, PRODUCTION);

  it('have the prefix __Host- in a new database', async () => {
    const client = browser();
    const answer = await logIn(client);
    expect(names(answer)).toEqual(['__Host-iam_access', '__Host-iam_device', '__Host-iam_refresh']);
    expectHostBound(answer.setCookies);
    expect((await client.get('/api/auth/me')).status).toBe(200);
    expect((await client.post('/api/auth/refresh')).status).toBe(200);
    const info = await client.get<{ cookie_prefix: string }>('/api/info');
    expect(info.body.cookie_prefix).toBe('__Host-iam');
  });

  it('are not read without the prefix when that name was never in use', async () => {
    const client = browser();
    await logIn(client);
    const cookie = client.cookie.replaceAll('__Host-', '');
    expect((await client.get('/api/auth/me', { cookie })).status).toBe(401);
    expect((await client.post('/api/auth/refresh', undefined, { cookie })).status).toBe(401);
  });

  it('drop the prefix from the access cookie when a domain is set, without ending sessions', async () => {
    const client = browser();
    await logIn(client);
    await service.set(cookieDomain, 'example.com');
    expect((await client.get('/api/auth/me')).status).toBe(200);
    const refreshed = await client.post('/api/auth/refresh');
    expect(refreshed.status).toBe(200);
    expect([...client.jar.keys()].sort()).toEqual(['__Host-iam_device', '__Host-iam_refresh', 'iam_access']);
    expectHostBound(refreshed.setCookies.filter((line) => line.startsWith('__Host-iam_refresh=')));
    expect((await client.post('/api/auth/refresh')).status).toBe(200);
  });

  it('keep a refresh token out of a name that a sibling host could set, and delete it at logout', async () => {
    await service.set(cookieDomain, 'example.com');
    const client = browser();
    await logIn(client);
    const planted = client.cookie.replace('__Host-iam_refresh', 'iam_refresh');
    expectProblem(await browser().post('/api/auth/refresh', undefined, { cookie: planted }), 401, 'unauthenticated');
    await client.post('/api/auth/logout');
    expect([...client.jar.keys()]).toEqual(['__Host-iam_device']);
  });

  it('drop the prefix from a shared refresh cookie only, without ending sessions', async () => {
    await service.set(cookieDomain, 'example.com');
    await service.set(shareRefreshCookie, true);
    const client = browser();
    expect(names(await logIn(client))).toContain('iam_refresh');
    await service.set(shareRefreshCookie, false);
    expect((await client.post('/api/auth/refresh')).status).toBe(200);
    expect([...client.jar.keys()].sort()).toEqual(['__Host-iam_device', '__Host-iam_refresh', 'iam_access']);
    await service.set(shareRefreshCookie, true);
    expect((await client.post('/api/auth/refresh')).status).toBe(200);
    expect([...client.jar.keys()].sort()).toEqual(['__Host-iam_device', 'iam_access', 'iam_refresh']);
  });

  describe('of an upgraded database', () => {
    let upgraded: TestService;

    const query = (sql: string, parameters: unknown[] = []): Promise<unknown> => service.query(sql, parameters);
    const keepNames = (): Promise<void> => new KeepNamesOfCookies1760011000000().up({ query } as never);

    const visitor = (): TestClient => new HttpsClient(upgraded.app);

    it('keep their names until the setting is reset to its default', async () => {
      await keepNames();
      upgraded = await service.another();
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

    it('keep the name of a refresh cookie beside a domain', async () => {
      await keepNames();
      const migrate = (): Promise<void> => new KeepNamesBesideADomain1760061000000().up({ query } as never);
      const prefix = (): Promise<unknown> =>
        service.query(`SELECT value FROM setting WHERE key = 'jwt.cookie_prefix' AND value IS NOT NULL`);
      await service.query(`DELETE FROM setting_history`);
      await service.query(`DELETE FROM setting WHERE key = 'jwt.cookie_prefix'`);
      await migrate();
      expect(await prefix()).toEqual([]);
      await service.set(cookieDomain, 'example.com');
      await migrate();
      expect(await prefix()).toEqual([{ value: 'iam' }]);
      upgraded = await service.another();
      const client = visitor();
      expect(names(await logIn(client))).toContain('iam_refresh');
      expect((await client.post('/api/auth/refresh')).status).toBe(200);
    });

    it('keep a prefix that was set before', async () => {
      await keepNames();
      await service.query(`UPDATE setting SET value = '"shop"' WHERE key = 'jwt.cookie_prefix'`);
      await keepNames();
      expect(await service.query(`SELECT value FROM setting WHERE key = 'jwt.cookie_prefix'`)).toEqual([
        { value: 'shop' },
      ]);
    });
  });
});
