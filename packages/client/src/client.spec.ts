import { createCastellanClient, type CastellanClient, type CastellanClientOptions } from './client';
import { FakeService } from './fake-service';
import type { Problem } from './problem';

const BASE = 'https://id.example.com';

describe('a client of the service', () => {
  let service: FakeService;
  let told: string[];

  beforeEach(() => {
    service = new FakeService();
    told = [];
  });

  const clientWith = (options: Partial<CastellanClientOptions> = {}): CastellanClient =>
    createCastellanClient({
      baseUrl: BASE,
      fetch: service.send,
      onUnauthenticated: ({ code }) => told.push(code),
      ...options,
    });

  describe('a call', () => {
    it('is typed by the description of the service', async () => {
      const client = clientWith();
      const { data, error } = await client.GET('/api/auth/me');
      expect(error).toBeUndefined();
      const name: string | undefined = data?.username;
      expect(name).toBe('ann');
      // @ts-expect-error the service has no such route
      void client.GET('/api/nothing').catch(() => undefined);
      await client.POST('/api/auth/login', { body: { type: 'password', username: 'ann', password: 'secret' } });
      // @ts-expect-error a login needs its type
      void client.POST('/api/auth/login', { body: { username: 'ann' } });
    });

    // What pages of another origin may send: more would not pass the service's CORS rules.
    it('brings cookies, the content type of a body and no other header', async () => {
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

    it('waits for no refresh for ever', async () => {
      service.expire();
      await clientWith().GET('/api/auth/me');
      const refresh = service.requests.find(({ path }) => path === '/api/auth/refresh');
      expect(refresh?.signal).toBeInstanceOf(AbortSignal);
    });

    it('asks for whatever language the page speaks, and for none where it says none', async () => {
      await clientWith({ language: () => 'en' }).GET('/api/auth/me');
      await clientWith({ language: () => undefined }).GET('/api/auth/me');
      expect(service.requests.map(({ url }) => url)).toEqual([`${BASE}/api/auth/me?lang=en`, `${BASE}/api/auth/me`]);
    });

    it('asks for its language, beside what else it asks', async () => {
      const client = clientWith({ language: () => 'zh' });
      await client.GET('/api/user', { params: { query: { keyword: 'a b' } } });
      expect(service.requests[0]?.url).toBe(`${BASE}/api/user?keyword=a+b&lang=zh`);
    });

    it('ends when its caller gives up', async () => {
      const giveUp = new AbortController();
      await clientWith().GET('/api/auth/me', { signal: giveUp.signal });
      giveUp.abort();
      expect(service.requests[0]?.signal?.aborted).toBe(true);
    });
  });

  describe('an access token that ended', () => {
    beforeEach(() => {
      service.expire();
    });

    it('is renewed unseen, and the call sent again as it was', async () => {
      const { data } = await clientWith().PATCH('/api/auth/me', { body: { nickname: 'Ann' } });
      expect(data?.username).toBe('ann');
      expect(service.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
        ['PATCH', '/api/auth/me', '{"nickname":"Ann"}'],
        ['POST', '/api/auth/refresh', undefined],
        ['PATCH', '/api/auth/me', '{"nickname":"Ann"}'],
      ]);
      expect(service.requests[1]).toMatchObject({ credentials: 'include' });
      expect(told).toEqual([]);
    });

    it('is renewed once for all calls at once', async () => {
      const client = clientWith();
      const answers = await Promise.all(Array.from({ length: 8 }, () => client.GET('/api/auth/me')));
      expect(answers.map(({ response }) => response.status)).toEqual(Array(8).fill(200));
      expect(service.refreshes).toBe(1);
    });

    it('is not renewed again for a call that began before and was answered late', async () => {
      const client = clientWith();
      const release = service.holdNext();
      const late = client.GET('/api/auth/me');
      await client.GET('/api/auth/sessions');
      release();
      expect((await late).response.status).toBe(200);
      expect(service.refreshes).toBe(1);
    });

    it('that ended anew is renewed anew', async () => {
      const client = clientWith();
      await client.GET('/api/auth/me');
      service.expire();
      await client.GET('/api/auth/me');
      expect(service.refreshes).toBe(2);
    });

    it('is not renewed for ever where each new one has ended, too', async () => {
      service.isAlwaysExpired = true;
      const { error } = await clientWith().GET('/api/auth/me');
      expect(error).toMatchObject({ code: 'token_expired' });
      expect(service.refreshes).toBe(2);
      expect(told).toEqual(['token_expired']);
    });
  });

  describe('a refused refresh', () => {
    beforeEach(() => {
      service.expire();
    });

    it('is the answer of every call that needed it, and told once', async () => {
      service.refuseRefresh(401, 'session_revoked');
      const client = clientWith();
      const answers = await Promise.all(Array.from({ length: 5 }, () => client.GET('/api/auth/me')));
      expect(answers.map(({ error }) => (error as Problem | undefined)?.code)).toEqual(
        Array(5).fill('session_revoked'),
      );
      expect(service.refreshes).toBe(1);
      expect(told).toEqual(['session_revoked']);
    });

    it('that is not the end of the session is answered as it was, and nobody is told', async () => {
      service.refuseRefresh(503, 'unavailable');
      const client = clientWith();
      const { error, response } = await client.GET('/api/auth/me');
      expect([response.status, error]).toMatchObject([503, { code: 'unavailable' }]);
      expect(told).toEqual([]);
      service.refuseRefresh(undefined);
      expect((await client.GET('/api/auth/me')).response.status).toBe(200);
    });

    it('that reached nobody fails the call, and the next asks again', async () => {
      service.loseRefresh();
      const client = clientWith();
      await expect(client.GET('/api/auth/me')).rejects.toThrow('connection lost');
      expect((await client.GET('/api/auth/me')).response.status).toBe(200);
      expect(told).toEqual([]);
    });

    it('asked for by the caller is not asked for twice', async () => {
      service.refuseRefresh(401, 'token_expired');
      const { error } = await clientWith().POST('/api/auth/refresh', { body: {} });
      expect(error).toMatchObject({ code: 'token_expired' });
      expect([service.refreshes, told]).toEqual([1, ['token_expired']]);
    });
  });

  describe('another 401', () => {
    it.each(['unauthenticated', 'session_revoked'])('that says %s is told, and renews nothing', async (code) => {
      service.refuse(401, code);
      const client = clientWith();
      await client.GET('/api/auth/me');
      await client.GET('/api/auth/me');
      expect([service.refreshes, told]).toEqual([0, [code]]);
    });

    it('is told again after somebody had logged in', async () => {
      const client = clientWith();
      service.refuse(401, 'unauthenticated');
      await client.GET('/api/auth/me');
      service.refuse(undefined);
      await client.GET('/api/auth/me');
      service.refuse(401, 'session_revoked');
      await client.GET('/api/auth/me');
      expect(told).toEqual(['unauthenticated', 'session_revoked']);
    });

    it.each(['invalid_credentials', 'reauthentication_required'])(
      'that says %s is the caller’s alone',
      async (code) => {
        service.refuse(401, code);
        const { error } = await clientWith().POST('/api/auth/reauthenticate', { body: { password: 'wrong' } });
        expect(error).toMatchObject({ code });
        expect([service.refreshes, told]).toEqual([0, []]);
      },
    );

    it('of a proxy before the service is handed on', async () => {
      service.refuse(401, undefined);
      const { response } = await clientWith().GET('/api/auth/me', { parseAs: 'text' });
      expect([response.status, service.refreshes, told]).toEqual([401, 0, []]);
    });
  });
});
