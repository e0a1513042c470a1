import { cookieDomain, cookiePath, cookiePrefix, cookieSameSite } from '../../src/platform/http';
import { accessOf, refreshOf, resign, sessionOf, versionOf } from '../support/session-tokens';
import type { Answer, Problem, SendOptions, TestClient } from '../support/test-client';
import { PASSWORD, TestService } from '../support/test-service';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly attributes: Record<string, string>;
}

const DAY = 86_400;

function parse(line: string): Cookie {
  const [pair = '', ...attributes] = line.split('; ');
  const separator = pair.indexOf('=');
  const entries = attributes.map((attribute) => attribute.split('=') as [string, string?]);
  return {
    name: pair.slice(0, separator),
    value: pair.slice(separator + 1),
    attributes: Object.fromEntries(entries.map(([name, value]) => [name, value ?? ''])),
  };
}

/** The cookies an answer sets, by name; those it only deletes left out. */
const cookiesOf = (answer: Answer<unknown>): Record<string, Cookie> => {
  const live = answer.setCookies.map(parse).filter(({ attributes }) => attributes['Max-Age'] !== '0');
  return Object.fromEntries(live.map((cookie) => [cookie.name, cookie]));
};

describe('cookies', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
    await service.register('ann');
  });

  afterEach(async () => {
    await service.set(cookiePrefix, 'iam');
    for (const setting of [cookiePath, cookieDomain]) await service.set(setting, setting.defaultValue);
    await service.set(cookieSameSite, cookieSameSite.defaultValue);
  });

  afterAll(() => service.stop());

  const logIn = (more: Record<string, unknown> = {}, options: SendOptions = {}, client = service.client()) =>
    client.post<Problem>(
      '/api/auth/login',
      { type: 'password', username: 'ann', password: PASSWORD, ...more },
      options,
    );

  const code = ({ status, body }: Answer<Problem>): string => (status === 200 ? 'ok' : body.code);

  const me = (cookie: string): Promise<Answer<Problem>> => service.client().get<Problem>('/api/auth/me', { cookie });

  const refreshWith = (cookie: string): Promise<Answer<Problem>> =>
    service.client().post<Problem>('/api/auth/refresh', undefined, { cookie });

  describe('how they are set', () => {
    it('hides them from scripts and from other sites, for the host alone', async () => {
      const cookies = cookiesOf(await logIn());
      expect(Object.keys(cookies).sort()).toEqual(['iam_access', 'iam_device', 'iam_refresh']);
      for (const { attributes } of Object.values(cookies)) {
        const { 'Max-Age': maxAge, ...others } = attributes;
        expect(others).toEqual({ Path: '/', HttpOnly: '', SameSite: 'Lax' });
        expect(Number(maxAge)).toBeGreaterThan(0);
      }
    });

    it('lets both tokens live as long as the session, so that an expired access token still names its session', async () => {
      const cookies = cookiesOf(await logIn());
      for (const kind of ['access', 'refresh']) {
        const seconds = Number(cookies[`iam_${kind}`]!.attributes['Max-Age']);
        expect(seconds).toBeGreaterThan(30 * DAY - 60);
        expect(seconds).toBeLessThanOrEqual(30 * DAY);
      }
    });

    it('lets them end with the browser where that was asked for, after a refresh, too', async () => {
      const client = service.client();
      const login = await logIn({ remember: false }, {}, client);
      const refreshed = await client.post('/api/auth/refresh');
      for (const answer of [login, refreshed]) {
        const cookies = Object.values(cookiesOf(answer));
        expect(cookies.length).toBeGreaterThanOrEqual(2);
        for (const { attributes } of cookies) {
          expect(attributes).not.toHaveProperty('Max-Age');
          expect(attributes).not.toHaveProperty('Expires');
        }
      }
      expect((await client.get('/api/auth/me')).status).toBe(200);
    });

    it.each([
      { what: 'plain http', options: {}, secure: false },
      { what: 'https at a trusted proxy', options: { headers: { 'x-forwarded-proto': 'https' } }, secure: true },
      { what: 'http at a trusted proxy', options: { headers: { 'x-forwarded-proto': 'http' } }, secure: false },
      {
        what: 'https said by a peer nobody trusts',
        options: { headers: { 'x-forwarded-proto': 'https' }, remoteAddress: '198.51.100.9' },
        secure: false,
      },
    ])('$what: Secure is $secure', async ({ options, secure }) => {
      const client = service.client();
      const login = await logIn({}, options, client);
      const refreshed = await client.post('/api/auth/refresh', undefined, options);
      const gone = await client.post('/api/auth/logout', undefined, options);
      const lines = [login, refreshed, gone].flatMap(({ setCookies }) => setCookies.map(parse));
      expect(lines.length).toBeGreaterThanOrEqual(7);
      for (const { attributes } of lines) expect('Secure' in attributes).toBe(secure);
    });

    it('sets none with a refusal', async () => {
      expect((await logIn({ password: 'wrong password' })).setCookies).toEqual([]);
      expect((await refreshWith('iam_refresh=garbage')).setCookies).toEqual([]);
      expect((await me('iam_access=garbage')).setCookies).toEqual([]);
    });
  });

  describe('as the settings say', () => {
    it('names, places and binds them, and deletes them with the same attributes', async () => {
      await service.set(cookiePrefix, 'shop');
      await service.set(cookiePath, '/api');
      await service.set(cookieDomain, 'example.org');
      await service.set(cookieSameSite, 'strict');
      const client = service.client();
      const cookies = cookiesOf(await logIn({}, {}, client));
      expect(Object.keys(cookies).sort()).toEqual(['shop_access', 'shop_device', 'shop_refresh']);
      const frame = { Path: '/api', Domain: 'example.org', SameSite: 'Strict', HttpOnly: '' };
      const { shop_device: device, ...tokens } = cookies;
      for (const { attributes } of Object.values(tokens)) expect(attributes).toMatchObject(frame);
      expect(device!.attributes).toMatchObject({ Path: '/', SameSite: 'Strict', HttpOnly: '' });
      expect(device!.attributes).not.toHaveProperty('Domain');
      expect((await client.get('/api/auth/me')).status).toBe(200);

      const gone = (await client.post('/api/auth/logout')).setCookies.map(parse);
      for (const kind of ['access', 'refresh']) {
        expect(gone).toContainEqual({
          name: `shop_${kind}`,
          value: '',
          attributes: { ...frame, 'Max-Age': '0', Expires: 'Thu, 01 Jan 1970 00:00:00 GMT' },
        });
      }
    });

    it('works under a __Host- name', async () => {
      await service.set(cookiePrefix, '__Host-iam');
      const client = service.client();
      const https = { headers: { 'x-forwarded-proto': 'https' } };
      const { '__Host-iam_access': access } = cookiesOf(await logIn({}, https, client));
      expect(access!.attributes).toMatchObject({ Path: '/', Secure: '' });
      expect(access!.attributes).not.toHaveProperty('Domain');
      expect((await client.get('/api/auth/me')).status).toBe(200);
    });

    it('reads nothing under another name', async () => {
      const client = service.client();
      await logIn({}, {}, client);
      for (const name of ['IAM_access', 'iam-access', 'xiam_access', 'iam_access2', 'access', '__Secure-iam_access']) {
        expect(code(await me(`${name}=${accessOf(client)}`))).toBe('unauthenticated');
      }
    });

    it('stays within 4,096 bytes with the longest name, and after logins to many accounts', async () => {
      await service.set(cookiePrefix, 'p'.repeat(64));
      const client = service.client();
      for (let index = 0; index < 7; index++) {
        await service.register(`many_${index}`);
        const answer = await logIn({ username: `many_${index}` }, {}, client);
        for (const { name, value } of answer.setCookies.map(parse)) {
          expect(`${name}=${value}`.length).toBeLessThanOrEqual(4_096);
        }
      }
    });
  });

  describe('two of one name', () => {
    const pair = (kind: 'access' | 'refresh', one: string, other: string): string =>
      `iam_${kind}=${one}; theme=dark; iam_${kind}=${other}`;

    const signIn = async (): Promise<TestClient> => {
      const client = service.client();
      await logIn({}, {}, client);
      return client;
    };

    it('ignores one that does not verify, wherever it stands', async () => {
      const client = await signIn();
      for (const garbage of ['garbage', '', 'a.b.c', 'x'.repeat(3_000)]) {
        expect(code(await me(pair('access', garbage, accessOf(client))))).toBe('ok');
        expect(code(await me(pair('access', accessOf(client), garbage)))).toBe('ok');
      }
      expect(code(await refreshWith(pair('refresh', 'garbage', refreshOf(client))))).toBe('ok');
    });

    it('calls an expired one expired, whatever rubbish stands beside it', async () => {
      const client = await signIn();
      const expired = await resign(service, accessOf(client), { claims: { exp: Math.floor(Date.now() / 1_000) - 60 } });
      expect(code(await me(pair('access', 'garbage', expired)))).toBe('token_expired');
      expect(code(await me(pair('access', expired, 'garbage')))).toBe('token_expired');
      expect(code(await me(pair('access', expired, accessOf(client))))).toBe('ok');
    });

    it('of one session takes the higher counter, and does not mistake the lower for a copy', async () => {
      const client = await signIn();
      const old = { access: accessOf(client), refresh: refreshOf(client) };
      await client.post('/api/auth/refresh');
      await client.post('/api/auth/refresh');
      expect(code(await me(pair('access', old.access, accessOf(client))))).toBe('ok');
      expect(code(await me(pair('access', accessOf(client), old.access)))).toBe('ok');
      expect(code(await me(pair('access', old.access, old.access)))).toBe('token_expired');

      const refreshed = await refreshWith(pair('refresh', old.refresh, refreshOf(client)));
      expect(code(refreshed)).toBe('ok');
      expect(versionOf(cookiesOf(refreshed)['iam_refresh']!.value)).toEqual({
        sessionId: sessionOf(client),
        counter: 4,
      });
    });

    it('of two sessions says nobody, and touches neither', async () => {
      const [one, other] = [await signIn(), await signIn()];
      expect(code(await me(pair('access', accessOf(one), accessOf(other))))).toBe('unauthenticated');
      expect(code(await refreshWith(pair('refresh', refreshOf(one), refreshOf(other))))).toBe('unauthenticated');
      for (const client of [one, other]) {
        expect((await client.post('/api/auth/refresh')).status).toBe(200);
        expect(versionOf(refreshOf(client)).counter).toBe(2);
      }
    });

    it('of another user’s session beside the own says nobody', async () => {
      const client = await signIn();
      const stranger = await service.signUp('stranger');
      expect(code(await me(pair('access', accessOf(client), accessOf(stranger))))).toBe('unauthenticated');
    });
  });
});
