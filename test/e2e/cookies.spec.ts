import { cookieDomain, cookiePath, cookiePrefix, cookieSameSite } from '../../src/platform/http';
import { accessOf, refreshOf, resign, sessionOf, versionOf } from '../support/accounts/session-tokens';
import type { Answer, Problem, SendOptions, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

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

/** Cookies that a response sets, by name, without the cookies it deletes. */
const cookiesOf = (answer: Answer<unknown>): Record<string, Cookie> => {
  const live = answer.setCookies.map(parse).filter(({ attributes }) => attributes['Max-Age'] !== '0');
  return Object.fromEntries(live.map((cookie) => [cookie.name, cookie]));
};

describe('cookies', () => {
  let service: TestService;

  withService(async (started) => {
    service = started;
    await service.register('ann');
  });

  afterEach(async () => {
    await service.set(cookiePrefix, 'iam');
    for (const setting of [cookiePath, cookieDomain]) await service.set(setting, setting.defaultValue);
    await service.set(cookieSameSite, cookieSameSite.defaultValue);
  });

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

  describe('attributes', () => {
    it('are HttpOnly, SameSite and bound to the host', async () => {
      const cookies = cookiesOf(await logIn());
      expect(Object.keys(cookies).sort()).toEqual(['iam_access', 'iam_device', 'iam_refresh']);
      for (const { attributes } of Object.values(cookies)) {
        const { 'Max-Age': maxAge, ...others } = attributes;
        expect(others).toEqual({ Path: '/', HttpOnly: '', SameSite: 'Lax' });
        expect(Number(maxAge)).toBeGreaterThan(0);
      }
    });

    it('let both tokens live as long as the session, so that an expired access token still names its session', async () => {
      const cookies = cookiesOf(await logIn());
      for (const kind of ['access', 'refresh']) {
        const seconds = Number(cookies[`iam_${kind}`]!.attributes['Max-Age']);
        expect(seconds).toBeGreaterThan(30 * DAY - 60);
        expect(seconds).toBeLessThanOrEqual(30 * DAY);
      }
    });

    it('are session cookies when the login is not to be remembered, after a refresh too', async () => {
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
      { what: 'https through a trusted proxy', options: { headers: { 'x-forwarded-proto': 'https' } }, secure: true },
      { what: 'http through a trusted proxy', options: { headers: { 'x-forwarded-proto': 'http' } }, secure: false },
      {
        what: 'https claimed by an untrusted peer',
        options: { headers: { 'x-forwarded-proto': 'https' }, remoteAddress: '198.51.100.9' },
        secure: false,
      },
    ])('set Secure to $secure for $what', async ({ options, secure }) => {
      const client = service.client();
      const login = await logIn({}, options, client);
      const refreshed = await client.post('/api/auth/refresh', undefined, options);
      const gone = await client.post('/api/auth/logout', undefined, options);
      const lines = [login, refreshed, gone].flatMap(({ setCookies }) => setCookies.map(parse));
      expect(lines.length).toBeGreaterThanOrEqual(7);
      for (const { attributes } of lines) expect('Secure' in attributes).toBe(secure);
    });

    it('are not set by an error response', async () => {
      expect((await logIn({ password: 'wrong password' })).setCookies).toEqual([]);
      expect((await refreshWith('iam_refresh=garbage')).setCookies).toEqual([]);
      expect((await me('iam_access=garbage')).setCookies).toEqual([]);
    });
  });

  describe('settings', () => {
    it('change name, path, domain and SameSite, also for deletion', async () => {
      await service.set(cookiePrefix, 'shop');
      await service.set(cookiePath, '/api');
      await service.set(cookieDomain, 'example.org');
      await service.set(cookieSameSite, 'strict');
      const client = service.client();
      const cookies = cookiesOf(await logIn({}, {}, client));
      expect(Object.keys(cookies).sort()).toEqual(['shop_access', 'shop_device', 'shop_refresh']);
      const frame = { Path: '/api', Domain: 'example.org', SameSite: 'Strict', HttpOnly: '' };
      const { shop_device: device, shop_access: access } = cookies;
      expect(access!.attributes).toMatchObject(frame);
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

    it('allow a __Host- name', async () => {
      await service.set(cookiePrefix, '__Host-iam');
      const client = service.client();
      const https = { headers: { 'x-forwarded-proto': 'https' } };
      const { '__Host-iam_access': access } = cookiesOf(await logIn({}, https, client));
      expect(access!.attributes).toMatchObject({ Path: '/', Secure: '' });
      expect(access!.attributes).not.toHaveProperty('Domain');
      expect((await client.get('/api/auth/me')).status).toBe(200);
    });

    it('read a cookie only under the configured name', async () => {
      const client = service.client();
      await logIn({}, {}, client);
      for (const name of ['IAM_access', 'iam-access', 'xiam_access', 'iam_access2', 'access', '__Secure-iam_access']) {
        expect(code(await me(`${name}=${accessOf(client)}`))).toBe('unauthenticated');
      }
    });

    it('keep cookies within 4,096 bytes with the longest name and after logins to many accounts', async () => {
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

  describe('duplicate cookies', () => {
    const pair = (kind: 'access' | 'refresh', one: string, other: string): string =>
      `iam_${kind}=${one}; theme=dark; iam_${kind}=${other}`;

    const signIn = async (): Promise<TestClient> => {
      const client = service.client();
      await logIn({}, {}, client);
      return client;
    };

    it('ignores an invalid token in either position', async () => {
      const client = await signIn();
      for (const garbage of ['garbage', '', 'a.b.c', 'x'.repeat(3_000)]) {
        expect(code(await me(pair('access', garbage, accessOf(client))))).toBe('ok');
        expect(code(await me(pair('access', accessOf(client), garbage)))).toBe('ok');
      }
      expect(code(await refreshWith(pair('refresh', 'garbage', refreshOf(client))))).toBe('ok');
    });

    it('reports an expired token as expired, whatever invalid token is beside it', async () => {
      const client = await signIn();
      const expired = await resign(service, accessOf(client), { claims: { exp: Math.floor(Date.now() / 1_000) - 60 } });
      expect(code(await me(pair('access', 'garbage', expired)))).toBe('token_expired');
      expect(code(await me(pair('access', expired, 'garbage')))).toBe('token_expired');
      expect(code(await me(pair('access', expired, accessOf(client))))).toBe('ok');
    });

    it('uses the higher counter of one session, and does not treat the lower as a replay', async () => {
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

    it('rejects tokens of two sessions and ends neither', async () => {
      const [one, other] = [await signIn(), await signIn()];
      expect(code(await me(pair('access', accessOf(one), accessOf(other))))).toBe('unauthenticated');
      expect(code(await refreshWith(pair('refresh', refreshOf(one), refreshOf(other))))).toBe('unauthenticated');
      for (const client of [one, other]) {
        expect((await client.post('/api/auth/refresh')).status).toBe(200);
        expect(versionOf(refreshOf(client)).counter).toBe(2);
      }
    });

    it('rejects a token of another user beside the own one', async () => {
      const client = await signIn();
      const stranger = await service.signUp('stranger');
      expect(code(await me(pair('access', accessOf(client), accessOf(stranger))))).toBe('unauthenticated');
    });
  });

  describe('of two users', () => {
    const pair = (access: string, refresh: string): string => `iam_access=${access}; iam_refresh=${refresh}`;
    const expired = (token: string): Promise<string> =>
      resign(service, token, { claims: { exp: Math.floor(Date.now() / 1_000) - 60 } });

    it('are deleted by a refresh, which ends neither session', async () => {
      const [here, elsewhere] = [await service.signUp('here'), await service.signUp('elsewhere')];
      await service.set(cookieDomain, 'example.org');
      for (const access of [accessOf(elsewhere), await expired(accessOf(elsewhere))]) {
        const answer = await refreshWith(pair(access, refreshOf(here)));
        expect([answer.status, code(answer)]).toEqual([401, 'unauthenticated']);
        expect(cookiesOf(answer)).toEqual({});
        const deleted = answer.setCookies.map(parse).map(({ name, attributes }) => [name, attributes['Domain']]);
        expect(deleted).toEqual(
          expect.arrayContaining([
            ['iam_access', 'example.org'],
            ['iam_refresh', undefined],
          ]),
        );
      }
      for (const client of [here, elsewhere]) expect((await client.post('/api/auth/refresh')).status).toBe(200);
    });

    it('are accepted beside an access token of the own user, or one that does not verify', async () => {
      const client = await service.signUp('own');
      const [other, again] = [await service.signUp('not_own'), await service.logIn('own')];
      const forged = accessOf(other).replace(/[^.]+$/, 'A'.repeat(86));
      for (const access of [await expired(accessOf(again)), forged, 'garbage']) {
        const answer = await client.post<Problem>('/api/auth/refresh', undefined, {
          cookie: pair(access, refreshOf(client)),
        });
        expect(code(answer)).toBe('ok');
      }
    });

    it('are ignored by a refresh with a token in the body', async () => {
      const [one, other] = [await service.signUp('in_body'), await service.signUp('in_cookies')];
      const answer = await service
        .client()
        .post<Problem>(
          '/api/auth/refresh',
          { refresh_token: refreshOf(one) },
          { cookie: pair(accessOf(other), refreshOf(other)) },
        );
      expect(code(answer)).toBe('ok');
    });
  });
});
