import { once } from 'node:events';
import { createServer, type OutgoingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expressAuthentication, fastifyAuthentication, handOn, honoAuthentication, requestHeaders } from './adapters';
import { type Authentication, CastellanServer } from './castellan-server';

const URL_OF_SERVICE = 'https://id.example.com';
const problem = (status: number, code: string): Response => Response.json({ title: code, status, code }, { status });

/** A session whose tokens have a counter: `iam_access=a1`. */
class FakeSession {
  readonly calls: { path: string; headers: Headers }[] = [];
  counter = 1;
  failure: Response | undefined;
  account: object = { username: 'ann', permissions: [], pending: null };

  readonly send = async (url: URL, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    this.calls.push({ path: url.pathname, headers });
    if (this.failure) return this.failure.clone();
    const cookie = headers.get('cookie') ?? '';
    if (url.pathname === '/api/auth/refresh') return this.refresh(cookie);
    if (cookie.includes(`iam_access=a${this.counter}`)) return Response.json(this.account);
    return problem(401, 'token_expired');
  };

  get refreshes(): number {
    return this.calls.filter(({ path }) => path === '/api/auth/refresh').length;
  }

  private refresh(cookie: string): Response {
    const answer = cookie.includes('iam_refresh=r1') ? Response.json({}) : problem(401, 'session_revoked');
    if (answer.ok) this.counter = 2;
    answer.headers.append('set-cookie', answer.ok ? 'iam_access=a2; Path=/; HttpOnly' : 'iam_access=; Max-Age=0');
    answer.headers.append('set-cookie', answer.ok ? 'iam_refresh=r2; Path=/; HttpOnly' : 'iam_refresh=; Max-Age=0');
    return answer;
  }
}

describe('CastellanServer', () => {
  let session: FakeSession;
  let castellan: CastellanServer;

  beforeEach(() => {
    session = new FakeSession();
    castellan = new CastellanServer({
      baseUrl: URL_OF_SERVICE,
      fetch: session.send,
      clientAddress: () => '203.0.113.7',
    });
  });

  const ask = (cookie: string): Request =>
    new Request('https://app.example.com/', { headers: { cookie, 'user-agent': 'Firefox' } });

  it('names the user, and sends the service its own cookies and what it shows in the list of sessions', async () => {
    const found = await castellan.authenticate(ask('theme=dark; iam_access=a1'));
    expect(found).toMatchObject({ user: { username: 'ann' }, isExpired: false, setCookies: [] });
    const { headers } = session.calls[0]!;
    expect([...headers]).toEqual([
      ['cookie', 'iam_access=a1'],
      ['user-agent', 'Firefox'],
      ['x-forwarded-for', '203.0.113.7'],
    ]);
  });

  it('sends no cookie of another application whose name only ends as one of the service', async () => {
    await castellan.authenticate(ask('shop_access=s1; iam_access=a1; iam_shop_refresh=s2; my_iam_access=s3'));
    expect(session.calls[0]!.headers.get('cookie')).toBe('iam_access=a1');
    session.calls.length = 0;
    expect(await castellan.authenticate(ask('shop_access=s1; shop_refresh=s2'))).toMatchObject({ user: null });
    expect(session.calls).toEqual([]);
  });

  it.each([
    ['__Host-iam_access=a1; iam_access=a1', undefined, '__Host-iam_access=a1; iam_access=a1'],
    ['shop_access=a1; iam_access=a1', 'shop', 'shop_access=a1'],
    ['shop_access=a1; iam_access=a1; other_access=a1', ['shop', 'iam'], 'shop_access=a1; iam_access=a1'],
  ])('sends of %s with prefix %s the cookies %s', async (cookies, cookiePrefix, sent) => {
    const prefixed = new CastellanServer({ baseUrl: URL_OF_SERVICE, fetch: session.send, cookiePrefix });
    await prefixed.authenticate(ask(cookies));
    expect(session.calls[0]!.headers.get('cookie')).toBe(sent);
  });

  it('asks nothing without a session', async () => {
    expect(await castellan.authenticate(ask('theme=dark'))).toMatchObject({ user: null, cookie: 'theme=dark' });
    expect(session.calls).toEqual([]);
  });

  it('refreshes once for concurrent requests of one cookie, and hands the cookies on to each', async () => {
    const requests = Array.from({ length: 4 }, () =>
      castellan.authenticate(ask('theme=dark; iam_access=a0; iam_refresh=r1')),
    );
    const cookie = 'theme=dark; iam_access=a2; iam_refresh=r2';
    const setCookies = ['iam_access=a2; Path=/; HttpOnly', 'iam_refresh=r2; Path=/; HttpOnly'];
    for (const found of await Promise.all(requests)) {
      expect(found).toMatchObject({ user: { username: 'ann' }, cookie, setCookies });
    }
    expect(session.refreshes).toBe(1);
  });

  it('tells an expired session that only the page can refresh from one that has ended', async () => {
    expect(await castellan.authenticate(ask('iam_access=a0'))).toMatchObject({ user: null, isExpired: true });
    const ended = await castellan.authenticate(ask('iam_access=a0; iam_refresh=r0'));
    expect(ended).toMatchObject({ user: null, isExpired: false, cookie: '' });
    expect(ended.setCookies).toHaveLength(2);
  });

  it('hands refreshed tokens on if the service fails after the refresh', async () => {
    const { send } = session;
    const failing = new CastellanServer({
      baseUrl: URL_OF_SERVICE,
      fetch: async (url: URL, init: RequestInit) =>
        session.refreshes > 0 && url.pathname !== '/api/auth/refresh' ? problem(503, 'unavailable') : send(url, init),
    });
    const found = await failing.authenticate(ask('iam_access=a0; iam_refresh=r1'));
    expect(found).toMatchObject({ user: null, isExpired: true, cookie: 'iam_access=a2; iam_refresh=r2' });
    expect(found.setCookies).toHaveLength(2);
  });

  it('gives no user while the user has something to do first, also after a refresh', async () => {
    const user = { username: 'ann', pending: 'terms' };
    session.account = user;
    for (const cookie of ['iam_access=a1', 'iam_access=a0; iam_refresh=r1']) {
      const found = await castellan.authenticate(ask(cookie));
      expect(found).toMatchObject({ user: null, pending: { duty: 'terms', user }, acting: null, isExpired: false });
    }
  });

  it('gives no user to a request that changes something while another acts, also after a refresh', async () => {
    const user = { username: 'ann', pending: null, actor: { id: 's', username: 'sam' } };
    session.account = user;
    const seen: unknown[] = [];
    for (const cookie of ['iam_access=a1', 'iam_access=a0; iam_refresh=r1']) {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'get', undefined]) {
        session.counter = 1;
        const found = await castellan.authenticate({ method, headers: { cookie } });
        expect(found).toMatchObject({ pending: null, acting: { actor: user.actor, user } });
        seen.push(found.user && method);
      }
    }
    const reads = ['GET', 'HEAD', 'OPTIONS', null, null, null];
    expect(seen).toEqual([...reads, ...reads]);
  });

  it('rejects an answer without a word on duties, as of an earlier service', async () => {
    session.account = { username: 'ann' };
    await expect(castellan.authenticate(ask('iam_access=a1'))).rejects.toThrow('older than castellan-client');
  });

  it('rejects if the service cannot decide', async () => {
    session.failure = problem(503, 'unavailable');
    await expect(castellan.authenticate(ask('iam_access=a1'))).rejects.toMatchObject({ status: 503 });
  });

  describe('adapters', () => {
    const EXPIRED = { cookie: 'iam_access=a0; iam_refresh=r1' };
    const lines = ['iam_access=a2; Path=/; HttpOnly', 'iam_refresh=r2; Path=/; HttpOnly'];

    /** Headers of a response to a request that this listener serves. */
    async function served(listener: RequestListener): Promise<Headers> {
      const server = createServer(listener).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      try {
        const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: EXPIRED });
        await answer.text();
        return answer.headers;
      } finally {
        server.close();
      }
    }

    const expectUncached = (headers: Headers): void => {
      expect([headers.getSetCookie(), headers.get('cache-control')]).toEqual([lines, 'no-store']);
      expect(headers.get('x-page')).toBe('orders');
    };

    it.each<[string, (response: ServerResponse) => void]>([
      ['nothing of caches', (response) => void response.setHeader('x-page', 'orders').end()],
      [
        'a header',
        (response) => void response.setHeader('Cache-Control', 'public').setHeader('x-page', 'orders').end(),
      ],
      [
        'an object',
        (response) => void response.writeHead(200, { 'Cache-Control': 'public', 'x-page': 'orders' }).end(),
      ],
      ['a list', (response) => void response.writeHead(200, ['Cache-Control', 'public', 'x-page', 'orders']).end()],
      [
        'a reason, too',
        (response) => void response.writeHead(200, 'Fine', { 'cache-control': 'public', 'x-page': 'orders' }).end(),
      ],
    ])('serve Express, with no cache even if the handler sets %s', async (_what, handle) => {
      const middleware = expressAuthentication(castellan);
      const seen: unknown[] = [];
      const headers = await served((request, response) => {
        middleware(request, response, () => {
          seen.push((request as { castellan?: Authentication }).castellan?.user);
          handle(response);
        });
      });
      expectUncached(headers);
      expect(seen).toMatchObject([{ username: 'ann' }]);
    });

    it.each<[string, string[], (response: ServerResponse) => void]>([
      ['a header', ['theme=dark'], (response) => void response.setHeader('Set-Cookie', 'theme=dark').end()],
      ['a further header', ['theme=dark'], (response) => void response.appendHeader('Set-Cookie', 'theme=dark').end()],
      ['an object', ['theme=dark'], (response) => void response.writeHead(200, { 'set-cookie': 'theme=dark' }).end()],
      [
        'a list',
        ['theme=dark', 'size=1'],
        (response) => void response.writeHead(200, ['Set-Cookie', 'theme=dark', 'set-cookie', 'size=1']).end(),
      ],
      [
        'an object with several',
        ['theme=dark', 'size=1'],
        (response) => void response.writeHead(200, 'Fine', { 'Set-Cookie': ['theme=dark', 'size=1'] }).end(),
      ],
      ['no header any more', [], (response) => void (response.removeHeader('set-cookie'), response.end())],
    ])('keep refreshed tokens beside cookies that the handler sets by %s', async (_what, theirs, handle) => {
      const middleware = expressAuthentication(castellan);
      const headers = await served((request, response) => {
        middleware(request, response, () => {
          handle(response);
        });
      });
      expect(headers.getSetCookie()).toEqual([...lines, ...theirs]);
    });

    it('leave responses without refreshed tokens to the handler', async () => {
      const middleware = expressAuthentication(castellan);
      session.counter = 0;
      const headers = await served((request, response) => {
        middleware(request, response, () => response.setHeader('cache-control', 'public').end());
      });
      expect([headers.getSetCookie(), headers.get('cache-control')]).toEqual([[], 'public']);
    });

    it('pass an error on to Express', async () => {
      session.failure = problem(503, 'unavailable');
      const error = await new Promise((resolve) => {
        expressAuthentication(castellan)({ headers: EXPIRED }, {} as never, resolve);
      });
      expect(error).toMatchObject({ status: 503 });
    });

    it('serve Fastify, with no cache even if the handler sets one', async () => {
      const hook = fastifyAuthentication(castellan);
      const headers = await served((request, raw) => {
        // As a reply of Fastify, which hands all headers to `writeHead`.
        const replied: Record<string, string | readonly string[]> = {};
        const reply = { raw, header: (name: string, value: string | readonly string[]) => (replied[name] = value) };
        void hook(request, reply).then(() => {
          reply.header('cache-control', 'public');
          reply.header('x-page', (request as { castellan?: Authentication }).castellan?.user ? 'orders' : 'none');
          raw.writeHead(200, replied as OutgoingHttpHeaders).end();
        });
      });
      expectUncached(headers);
    });

    it('serve Hono, with no cache even if the handler sets one', async () => {
      let headers = new Headers();
      const seen: unknown[] = [];
      const context = {
        req: { raw: ask(EXPIRED.cookie) },
        set: (...pair: unknown[]) => void seen.push(pair),
        header: (name: string, value: string, { append = false } = {}) => {
          if (append) headers.append(name, value);
          else headers.set(name, value);
        },
      };
      await honoAuthentication(castellan)(context, async () => {
        // As a `Response` of the handler.
        headers = new Headers({ 'cache-control': 'public', 'x-page': 'orders' });
      });
      expect(seen).toMatchObject([['castellan', { user: { username: 'ann' } }]]);
      expectUncached(headers);
    });

    it('serve Next.js', async () => {
      const request = ask(EXPIRED.cookie);
      const found = await castellan.authenticate(request);
      expect(requestHeaders(request, found).get('cookie')).toBe('iam_access=a2; iam_refresh=r2');
      const response = handOn(new Response('page'), found);
      expect([response.headers.getSetCookie(), response.headers.get('cache-control')]).toEqual([lines, 'no-store']);
    });
  });
});
