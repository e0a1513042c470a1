import { createCastellanClient, type CastellanClient, type CastellanClientOptions } from './client';
import { FakeService } from './fake-service';
import type { Problem } from './problem';

const BASE = 'https://id.example.com';

describe('createCastellanClient', () => {
  let service: FakeService;
  let reported: string[];

  beforeEach(() => {
    service = new FakeService();
    reported = [];
  });

  const clientWith = (options: Partial<CastellanClientOptions> = {}): CastellanClient =>
    createCastellanClient({
      baseUrl: BASE,
      fetch: service.send,
      onUnauthenticated: ({ code }) => reported.push(code),
      ...options,
    });

  describe('requests', () => {
    it('types routes and bodies from the OpenAPI document', async () => {
      const client = clientWith();
      const { data, error } = await client.GET('/api/auth/me');
      expect(error).toBeUndefined();
      const name: string | undefined = data?.username;
      expect(name).toBe('ann');
      // @ts-expect-error the API has no such route
      void client.GET('/api/nothing').catch(() => undefined);
      await client.POST('/api/auth/login', { body: { type: 'password', username: 'ann', password: 'secret' } });
      // @ts-expect-error a login body requires a type
      void client.POST('/api/auth/login', { body: { username: 'ann' } });
    });

    it('types routes and login bodies of a host beside those of the service', async () => {
      interface Paths {
        '/invoices': { get: { responses: { 200: { content: { 'application/json': { total: number } } } } } };
      }
      interface BadgeLogin {
        type: 'badge';
        badge: string;
      }
      const client = createCastellanClient<Paths, BadgeLogin>({ baseUrl: BASE, fetch: service.send });
      await client.POST('/api/auth/login', { body: { type: 'badge', badge: '42' } });
      await client.POST('/api/auth/login', { body: { type: 'password', username: 'ann', password: 'secret' } });
      await client.GET('/invoices');
      expect(service.requests.map(({ path, body }) => [path, body])).toEqual([
        ['/api/auth/login', '{"type":"badge","badge":"42"}'],
        ['/api/auth/login', '{"type":"password","username":"ann","password":"secret"}'],
        ['/invoices', undefined],
      ]);
      // @ts-expect-error the badge is a text
      void client.POST('/api/auth/login', { body: { type: 'badge', badge: 42 } });
      // @ts-expect-error a client without the type parameter does not know badges
      void clientWith().POST('/api/auth/login', { body: { type: 'badge', badge: '42' } });
    });

    // The service's CORS rules allow no other headers from another origin.
    it('sends cookies, the content type of a body and no other header', async () => {
      const client = clientWith();
      await client.GET('/api/auth/me');
      await client.POST('/api/auth/logout');
      await client.PATCH('/api/auth/me', { body: { nickname: 'Ann' } });
      expect(service.requests.map(({ headers }) => [...headers])).toEqual([
        [],
        [],
        [['content-type', 'application/json']],
      ]);
      expect(service.requests.map(({ credentials }) => credentials)).toEqual(['include', 'include', 'include']);
      expect(service.requests.at(-1)).toMatchObject({ method: 'PATCH', body: '{"nickname":"Ann"}' });
    });

    it('aborts a refresh that takes too long', async () => {
      service.expire();
      await clientWith().GET('/api/auth/me');
      const refresh = service.requests.find(({ path }) => path === '/api/auth/refresh');
      expect(refresh?.signal).toBeInstanceOf(AbortSignal);
    });

    it('sends the language only if the option returns one', async () => {
      await clientWith({ language: () => 'en' }).GET('/api/auth/me');
      await clientWith({ language: () => undefined }).GET('/api/auth/me');
      expect(service.requests.map(({ url }) => url)).toEqual([`${BASE}/api/auth/me?lang=en`, `${BASE}/api/auth/me`]);
    });

    it('adds the language to other query parameters', async () => {
      const client = clientWith({ language: () => 'zh' });
      await client.GET('/api/user', { params: { query: { keyword: 'a b' } } });
      expect(service.requests[0]?.url).toBe(`${BASE}/api/user?keyword=a+b&lang=zh`);
    });

    it('names the organization, except to the routes of the account', async () => {
      let organization: string | undefined = 'acme-id';
      const client = clientWith({ organizationId: () => organization });
      await client.GET('/api/user');
      await client.GET('/api/auth/me');
      await client.POST('/api/auth/logout');
      await client.GET('/api/user', { headers: { 'x-organization-id': 'other-id' } });
      organization = undefined;
      await client.GET('/api/user');
      expect(service.requests.map(({ headers }) => headers.get('x-organization-id'))).toEqual([
        'acme-id',
        null,
        null,
        'other-id',
        null,
      ]);
    });

    it('names the organization again after a refresh, which does not name it', async () => {
      service.expire();
      await clientWith({ organizationId: () => 'acme-id' }).GET('/api/user');
      expect(service.requests.map(({ path, headers }) => [path, headers.get('x-organization-id')])).toEqual([
        ['/api/user', 'acme-id'],
        ['/api/auth/refresh', null],
        ['/api/user', 'acme-id'],
      ]);
    });

    it('passes the abort signal of the caller to fetch', async () => {
      const giveUp = new AbortController();
      await clientWith().GET('/api/auth/me', { signal: giveUp.signal });
      giveUp.abort();
      expect(service.requests[0]?.signal?.aborted).toBe(true);
    });

    it('passes the cache mode and keepalive of the caller to fetch', async () => {
      await clientWith().GET('/api/info', { cache: 'reload' });
      await clientWith().POST('/api/auth/logout', { keepalive: true });
      expect(service.requests.map(({ cache, keepalive }) => [cache, keepalive])).toEqual([
        ['reload', false],
        ['default', true],
      ]);
    });
  });

  describe('expired access token', () => {
    beforeEach(() => {
      service.expire();
    });

    it('refreshes the token and repeats the request unchanged', async () => {
      const { data } = await clientWith().PATCH('/api/auth/me', { body: { nickname: 'Ann' } });
      expect(data?.username).toBe('ann');
      expect(service.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
        ['PATCH', '/api/auth/me', '{"nickname":"Ann"}'],
        ['POST', '/api/auth/refresh', undefined],
        ['PATCH', '/api/auth/me', '{"nickname":"Ann"}'],
      ]);
      expect(service.requests[1]).toMatchObject({ credentials: 'include' });
      expect(reported).toEqual([]);
    });

    it('refreshes once for concurrent requests', async () => {
      const client = clientWith();
      const answers = await Promise.all(Array.from({ length: 8 }, () => client.GET('/api/auth/me')));
      expect(answers.map(({ response }) => response.status)).toEqual(Array(8).fill(200));
      expect(service.refreshes).toBe(1);
    });

    it('does not refresh again for a request that started before the last refresh', async () => {
      const client = clientWith();
      const release = service.holdNext();
      const late = client.GET('/api/auth/me');
      await client.GET('/api/auth/sessions');
      release();
      expect((await late).response.status).toBe(200);
      expect(service.refreshes).toBe(1);
    });

    it('refreshes again after the next expiry', async () => {
      const client = clientWith();
      await client.GET('/api/auth/me');
      service.expire();
      await client.GET('/api/auth/me');
      expect(service.refreshes).toBe(2);
    });

    it('stops refreshing if every new token has expired too', async () => {
      service.isAlwaysExpired = true;
      const { error } = await clientWith().GET('/api/auth/me');
      expect(error).toMatchObject({ code: 'token_expired' });
      expect(service.refreshes).toBe(2);
      expect(reported).toEqual(['token_expired']);
    });
  });

  describe('failed refresh', () => {
    beforeEach(() => {
      service.expire();
    });

    it('returns the error to all waiting requests and calls onUnauthenticated once', async () => {
      service.rejectRefresh(401, 'session_revoked');
      const client = clientWith();
      const answers = await Promise.all(Array.from({ length: 5 }, () => client.GET('/api/auth/me')));
      expect(answers.map(({ error }) => (error as Problem | undefined)?.code)).toEqual(
        Array(5).fill('session_revoked'),
      );
      expect(service.refreshes).toBe(1);
      expect(reported).toEqual(['session_revoked']);
    });

    it('returns a temporary error without calling onUnauthenticated', async () => {
      service.rejectRefresh(503, 'unavailable');
      const client = clientWith();
      const { error, response } = await client.GET('/api/auth/me');
      expect([response.status, error]).toMatchObject([503, { code: 'unavailable' }]);
      expect(reported).toEqual([]);
      service.rejectRefresh(undefined);
      expect((await client.GET('/api/auth/me')).response.status).toBe(200);
    });

    it('fails the request on a network error and refreshes at the next request', async () => {
      service.loseRefresh();
      const client = clientWith();
      await expect(client.GET('/api/auth/me')).rejects.toThrow('connection lost');
      expect((await client.GET('/api/auth/me')).response.status).toBe(200);
      expect(reported).toEqual([]);
    });

    it('does not refresh for a refresh request of the caller', async () => {
      service.rejectRefresh(401, 'token_expired');
      const { error } = await clientWith().POST('/api/auth/refresh', { body: {} });
      expect(error).toMatchObject({ code: 'token_expired' });
      expect([service.refreshes, reported]).toEqual([1, ['token_expired']]);
    });
  });

  describe('other 401 responses', () => {
    it.each(['unauthenticated', 'session_revoked'])(
      'calls onUnauthenticated without a refresh after %s',
      async (code) => {
        service.rejectRequests(401, code);
        const client = clientWith();
        await client.GET('/api/auth/me');
        await client.GET('/api/auth/me');
        expect([service.refreshes, reported]).toEqual([0, [code]]);
      },
    );

    it('calls onUnauthenticated again after a later login', async () => {
      const client = clientWith();
      service.rejectRequests(401, 'unauthenticated');
      await client.GET('/api/auth/me');
      service.rejectRequests(undefined);
      await client.GET('/api/auth/me');
      service.rejectRequests(401, 'session_revoked');
      await client.GET('/api/auth/me');
      expect(reported).toEqual(['unauthenticated', 'session_revoked']);
    });

    it.each(['invalid_credentials', 'reauthentication_required'])(
      'returns %s without calling onUnauthenticated',
      async (code) => {
        service.rejectRequests(401, code);
        const { error } = await clientWith().POST('/api/auth/reauthenticate', { body: { password: 'wrong' } });
        expect(error).toMatchObject({ code });
        expect([service.refreshes, reported]).toEqual([0, []]);
      },
    );

    it('returns the 401 of a reverse proxy unchanged', async () => {
      service.rejectRequests(401, undefined);
      const { response } = await clientWith().GET('/api/auth/me', { parseAs: 'text' });
      expect([response.status, service.refreshes, reported]).toEqual([401, 0, []]);
    });
  });
});
