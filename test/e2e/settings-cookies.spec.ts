import { cookieDomain, cookiePath, cookiePrefix, cookieSameSite, shareRefreshCookie } from '../../src/platform/http';
import { expectProblem } from '../support/service/expect-problem';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

type Updates = Record<string, unknown>;

const FRAME = {
  prefix: cookiePrefix.key,
  path: cookiePath.key,
  domain: cookieDomain.key,
  sameSite: cookieSameSite.key,
};

const changer =
  (admin: TestClient) =>
  (updates: Updates): Promise<Answer<Problem>> =>
    admin.put<Problem>('/api/setting', { updates: Object.entries(updates).map(([key, value]) => ({ key, value })) });

describe('cookies after a change of their settings', () => {
  let service: TestService;
  let admin: TestClient;
  let names = 0;

  beforeAll(async () => {
    service = await TestService.start({ environment: { PUBLIC_URL: 'http://id.example.com' } });
  });

  beforeEach(async () => {
    admin = await service.admin();
  });

  /** Former names and scopes have effects, too. */
  afterEach(async () => {
    await service.set(cookiePrefix, 'iam');
    await service.set(cookiePath, '/');
    await service.set(cookieDomain, '');
    await service.query('DELETE FROM setting_history');
  });

  afterAll(() => service.stop());

  const change = async (updates: Updates): Promise<void> => {
    const answer = await changer(admin)(updates);
    if (answer.status !== 200) throw new Error(answer.text);
  };
  const user = (): Promise<TestClient> => service.signUp(`user_${++names}`);
  const me = async (client: TestClient): Promise<number> => (await client.get('/api/auth/me')).status;
  const lines = (answer: Answer<unknown>, name: string): string[] =>
    answer.setCookies.filter((line) => line.startsWith(`${name}=`));
  const isExpiry = (line: string): boolean => line.includes('Max-Age=0');
  const attributes = (line: string | undefined): string[] => (line ?? '').split('; ').slice(1);

  describe('with another prefix', () => {
    it('keep sessions alive and are replaced at the next refresh', async () => {
      const ann = await user();
      await change({ [FRAME.prefix]: 'other' });
      expect(await me(ann)).toBe(200);

      const refreshed = await ann.post('/api/auth/refresh');
      expect(refreshed.status).toBe(200);
      expect([...ann.jar.keys()].sort()).toEqual(['iam_device', 'other_access', 'other_refresh']);
      expect(lines(refreshed, 'iam_access').every(isExpiry)).toBe(true);
      expect(lines(refreshed, 'iam_refresh')).toHaveLength(1);
      expect(await me(ann)).toBe(200);
    });

    it('are read under each previous name', async () => {
      const ann = await user();
      await change({ [FRAME.prefix]: 'second' });
      const bob = await user();
      await change({ [FRAME.prefix]: 'third' });
      expect([await me(ann), await me(bob), await me(await user())]).toEqual([200, 200, 200]);
      await change({ [FRAME.prefix]: null });
      expect([await me(ann), await me(bob)]).toEqual([200, 200]);
    });

    it('prefer the new name when both exist', async () => {
      const ann = await user();
      const bob = await user();
      const old = ann.cookie;
      await change({ [FRAME.prefix]: 'other' });
      await bob.post('/api/auth/refresh');
      const answer = await bob.get<{ username: string }>('/api/auth/me', { cookie: `${old}; ${bob.cookie}` });
      expect([answer.status, answer.body.username]).toEqual([200, `user_${names}`]);
    });

    it('are read by an instance that has not seen the change', async () => {
      const other = await service.another();
      await other.client().get('/api/info');
      await change({ [FRAME.prefix]: 'other' });
      const ann = await user();
      const answer = await other.client().get('/api/auth/me', { cookie: ann.cookie });
      expect(answer.status).toBe(200);
    });

    it('are all deleted at logout', async () => {
      const ann = await user();
      await change({ [FRAME.prefix]: 'other' });
      await ann.post('/api/auth/logout');
      expect([...ann.jar.keys()]).toEqual(['iam_device']);
    });

    it('still identify a known device', async () => {
      const ann = await user();
      const username = `user_${names}`;
      const device = ann.jar.get('iam_device');
      await change({ [FRAME.prefix]: 'other' });
      const answer = await ann.post('/api/auth/login', { type: 'password', username, password: PASSWORD });
      expect(answer.status).toBe(200);
      expect(ann.jar.has('iam_device')).toBe(false);
      expect(ann.jar.get('other_device')?.split('~')[0]).toBe(device?.split('~')[0]);
    });

    it('still contain the chosen language', async () => {
      const language = async (cookie: string): Promise<string> =>
        (await service.client().get<Problem>('/api/auth/me', { cookie })).body.title;
      await change({ [FRAME.prefix]: 'other' });
      expect(await language('iam_lang=zh')).toBe('需要登录');
      expect(await language('iam_lang=zh; other_lang=en')).toBe('Login required');
      expect(await language('theirs_lang=zh')).toBe('Login required');
    });

    it('of another user are rejected at the cost of one lookup', async () => {
      const answer = await service
        .client()
        .get<Problem>('/api/auth/me', { cookie: 'theirs_access=eyJhbGciOiJub25lIn0.e30.' });
      expectProblem(answer, 401, 'unauthenticated');
    });
  });

  describe('with another path or domain', () => {
    it('are set again and expired at the previous scope', async () => {
      const ann = await user();
      await change({ [FRAME.path]: '/api', [FRAME.domain]: 'example.com' });
      await change({ [FRAME.path]: '/', [FRAME.domain]: 'id.example.com' });
      expect(await me(ann)).toBe(200);
      const answer = await ann.post('/api/auth/refresh');
      const [expiredLatest, expiredFirst, set, ...more] = lines(answer, 'iam_access');
      expect(more).toEqual([]);
      expect(attributes(expiredLatest)).toEqual(
        expect.arrayContaining(['Max-Age=0', 'Path=/api', 'Domain=example.com']),
      );
      expect(attributes(expiredFirst)).toEqual(expect.arrayContaining(['Max-Age=0', 'Path=/']));
      expect(expiredFirst).not.toContain('Domain=');
      expect(attributes(set)).toEqual(expect.arrayContaining(['Path=/', 'Domain=id.example.com']));
      expect(isExpiry(set ?? '')).toBe(false);
      expect(await me(ann)).toBe(200);
    });
  });

  describe('with a domain', () => {
    const NAME = 'shared_refresh';
    /** With another name, so that the browser has no cookie of the scopes before. */
    const SHARED = { [FRAME.prefix]: 'shared', [FRAME.domain]: 'example.com' };

    /** Domain of each line, and whether it deletes the cookie. */
    const refreshLines = (answer: Answer<unknown>): [domain: string | undefined, isExpiry: boolean][] =>
      lines(answer, NAME).map((line) => [/Domain=([^;]+)/.exec(line)?.[1], isExpiry(line)]);
    const STAYS = [
      ['example.com', true],
      [undefined, false],
    ];

    it('leave the refresh cookie at its host, and are all deleted at logout', async () => {
      await change(SHARED);
      const ann = await user();
      const login = await ann.post('/api/auth/login', {
        type: 'password',
        username: `user_${names}`,
        password: PASSWORD,
      });
      const refreshed = await ann.post('/api/auth/refresh');
      for (const answer of [login, refreshed]) {
        expect(refreshLines(answer)).toEqual(STAYS);
        expect(attributes(lines(answer, 'shared_access').at(-1))).toContain('Domain=example.com');
      }
      const gone = await ann.post('/api/auth/logout');
      expect(refreshLines(gone)).toEqual(
        expect.arrayContaining([
          ['example.com', true],
          [undefined, true],
        ]),
      );
      expect(ann.jar.has(NAME)).toBe(false);
    });

    it('keep a session whose refresh cookie has the domain, and move it to the host', async () => {
      await change({ ...SHARED, [shareRefreshCookie.key]: true });
      const ann = await user();
      const before = ann.jar.get(NAME) ?? '';
      await change({ [shareRefreshCookie.key]: null });
      const refreshed = await ann.post('/api/auth/refresh');
      expect([refreshed.status, refreshLines(refreshed)]).toEqual([200, STAYS]);
      // A browser that still has both sends both.
      const both = `${NAME}=${before}; ${NAME}=${ann.jar.get(NAME)}`;
      expect((await ann.post('/api/auth/refresh', undefined, { cookie: both })).status).toBe(200);
    });

    it('share the refresh cookie only if the setting says so', async () => {
      await change({ ...SHARED, [shareRefreshCookie.key]: true });
      const ann = await user();
      expect(refreshLines(await ann.post('/api/auth/refresh'))).toEqual([
        [undefined, true],
        ['example.com', false],
      ]);
    });
  });
});

describe('cookie settings', () => {
  let service: TestService;
  let put: (updates: Updates) => Promise<Answer<Problem>>;

  beforeAll(async () => {
    service = await TestService.start({ environment: { PUBLIC_URL: 'https://id.example.com' } });
    put = changer(await service.admin());
  });

  afterAll(() => service.stop());

  it.each([
    ['a;b', 'cookie_prefix'],
    ['a b', 'cookie_prefix'],
    ['a=b', 'cookie_prefix'],
    ['a\r\nSet-Cookie: x=y', 'cookie_prefix'],
    ['', 'cookie_prefix'],
    ['x'.repeat(65), 'max_length'],
  ])('reject the prefix %j', async (value, code) => {
    const answer = await put({ [FRAME.prefix]: value });
    expect(answer.body.errors).toMatchObject([{ field: 'updates[0].value', code }]);
  });

  it.each(['api', '', '/a;b', '/a\r\nb', '/\u00e9'])('reject the path %j', async (value) => {
    expect((await put({ [FRAME.path]: value })).body.errors).toMatchObject([{ code: 'cookie_path' }]);
  });

  it.each(['a;b', 'exa mple.com', '-.com', 'a..b'])('reject the domain %j', async (value) => {
    expect((await put({ [FRAME.domain]: value })).body.errors).toMatchObject([{ code: 'cookie_domain' }]);
  });

  it('reject __Host- with a path or a domain, whichever is set last', async () => {
    const both = await put({ [FRAME.prefix]: '__Host-iam', [FRAME.path]: '/api', [FRAME.domain]: 'example.com' });
    expect(both.body.errors).toMatchObject([
      { field: 'updates[1].value', code: 'host_prefix_path' },
      { field: 'updates[2].value', code: 'host_prefix_domain' },
    ]);
    await put({ [FRAME.path]: '/api' });
    expect((await put({ [FRAME.prefix]: '__host-iam' })).body.errors).toMatchObject([
      { field: 'updates[0].value', code: 'host_prefix_path' },
    ]);
    await put({ [FRAME.path]: '/', [FRAME.prefix]: '__Host-iam' });
    expect((await put({ [FRAME.domain]: 'example.com' })).body.errors).toMatchObject([
      { field: 'updates[0].value', code: 'host_prefix_domain' },
    ]);
    await put({ [FRAME.domain]: 'example.com', [FRAME.prefix]: 'iam' });
  });

  it.each(['/nowhere', '/ap', '/api/auth'])(
    'reject the path %s, which browsers would not send to the service',
    async (path) => {
      expect((await put({ [FRAME.path]: path })).body.errors).toMatchObject([{ code: 'cookie_path_unreached' }]);
    },
  );

  it.each(['com', 'example.org', 'other.example.com', 'ample.com', 'deep.id.example.com'])(
    'reject the domain %s, which browsers would not accept from this host',
    async (domain) => {
      expect((await put({ [FRAME.domain]: domain })).body.errors).toMatchObject([{ code: 'cookie_domain_foreign' }]);
    },
  );

  it.each(['id.example.com', 'example.com', '.Example.com'])('accept the domain %s', async (domain) => {
    expect((await put({ [FRAME.domain]: domain })).status).toBe(200);
    expect((await put({ [FRAME.domain]: null })).status).toBe(200);
  });

  it.each(['/api', '/api/', '/'])('accept the path %s', async (path) => {
    expect((await put({ [FRAME.path]: path })).status).toBe(200);
  });

  it('accept SameSite=None over https', async () => {
    expect((await put({ [FRAME.sameSite]: 'none' })).status).toBe(200);
    expect((await put({ [FRAME.sameSite]: null })).status).toBe(200);
  });

  describe('without PUBLIC_URL', () => {
    let plain: TestService;

    withService((started) => {
      plain = started;
    });

    const ask = async (update: Updates, headers: Record<string, string> = {}): Promise<Answer<Problem>> => {
      const updates = Object.entries(update).map(([key, value]) => ({ key, value }));
      return (await plain.admin()).put<Problem>('/api/setting?dry_run=true', { updates }, { headers });
    };

    it.each<[string, Updates]>([
      ['SameSite=None', { [FRAME.sameSite]: 'none' }],
      ['__Host-', { [FRAME.prefix]: '__Host-iam' }],
      ['__Secure-', { [FRAME.prefix]: '__secure-iam' }],
    ])('reject %s unless the request came over https', async (_, update) => {
      expect((await ask(update)).body.errors).toMatchObject([{ code: 'cookie_needs_https' }]);
      expect((await ask(update, { 'x-forwarded-proto': 'https' })).status).toBe(200);
    });

    it('validate the domain against the host of the request', async () => {
      const update = { [FRAME.domain]: 'example.com' };
      expect((await ask(update)).body.errors).toMatchObject([{ code: 'cookie_domain_foreign' }]);
      expect((await ask(update, { host: 'id.example.com' })).status).toBe(200);
    });

    it.each([
      ['co.uk', 'id.example.co.uk'],
      ['.GitHub.io', 'example.github.io'],
    ])('reject the public suffix %s', async (domain, host) => {
      const { body } = await ask({ [FRAME.domain]: domain }, { host });
      expect(body.errors).toMatchObject([{ field: 'updates[0].value', code: 'cookie_domain_public' }]);
    });

    it.each([
      ['example.co.uk', 'id.example.co.uk'],
      ['example.github.io', 'example.github.io'],
      ['corp.internal', 'id.corp.internal'],
    ])('accept the domain %s of %s', async (domain, host) => {
      expect((await ask({ [FRAME.domain]: domain }, { host })).status).toBe(200);
    });

    it('treat an IP address as having no parent domain', async () => {
      const host = '127.0.0.1:4000';
      expect((await ask({ [FRAME.domain]: '0.0.1' }, { host })).body.errors).toMatchObject([
        { code: 'cookie_domain_foreign' },
      ]);
      expect((await ask({ [FRAME.domain]: '127.0.0.1' }, { host })).status).toBe(200);
    });
  });
});
