import 'reflect-metadata';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { HostListener, identityOptions, startHost } from '../support/hosts/host-app';
import { codeOf, enrolTotp } from '../support/accounts/second-factors';
import { Problem, TestClient } from '../support/service/test-client';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';
import { ADMIN, PASSWORD } from '../support/service/test-service';
import { expectProblem } from '../support/service/expect-problem';

interface Request {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly payload?: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const PAGE = 'https://page-of-the-host.example';

let database: TestDatabase;
let host: NestFastifyApplication;
let plain: NestFastifyApplication;
const logLines: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  plain = await startHost(undefined);
  host = await startHost(
    identityOptions(database, (line) => {
      logLines.push(line);
    }),
  );
});

afterAll(async () => {
  await host.close();
  await plain.close();
  await database.drop();
});

async function answerOf(app: NestFastifyApplication, request: Request): Promise<unknown> {
  const { statusCode, headers, payload } = await app.inject(request);
  const { date: _date, ...others } = headers;
  return { statusCode, headers: others, payload };
}

const requests: Request[] = [
  { method: 'GET', url: '/' },
  { method: 'HEAD', url: '/' },
  { method: 'GET', url: '/api/products?x=1&x=2&lang=zh' },
  { method: 'POST', url: '/api/products', headers: JSON_TYPE, payload: '{"name":"tea","price":3}' },
  { method: 'POST', url: '/api/products', headers: JSON_TYPE, payload: '{"name":"tea","price":3,"extra":1}' },
  { method: 'POST', url: '/api/products', headers: JSON_TYPE, payload: '{"name":' },
  { method: 'POST', url: '/api/products', headers: JSON_TYPE, payload: `{"name":"${'x'.repeat(100_000)}"}` },
  { method: 'POST', url: '/api/products', headers: JSON_TYPE, payload: 'x'.repeat(2_000_000) },
  {
    method: 'POST',
    url: '/api/products',
    headers: { ...JSON_TYPE, origin: 'https://evil.example' },
    payload: '{"name":"tea","price":3}',
  },
  { method: 'POST', url: '/api/products', headers: { 'content-type': 'text/plain' }, payload: 'x' },
  { method: 'DELETE', url: '/api/products' },
  { method: 'GET', url: '/api/auth/host-own' },
  { method: 'GET', url: '/api/auth/host-own', headers: { 'x-request-id': 'mine', host: 'evil.example' } },
  { method: 'HEAD', url: '/api/auth/host-own' },
  { method: 'POST', url: '/api/auth/host-form', headers: { ...FORM_TYPE, origin: 'null' }, payload: 'a=1&b=2' },
  { method: 'GET', url: '/api/infos/7' },
  { method: 'GET', url: '/.well-known/security.txt' },
  { method: 'GET', url: '/health/host' },
  { method: 'GET', url: '/teapot' },
  { method: 'GET', url: '/defect' },
  { method: 'GET', url: '/', headers: { 'x-host-refuses': 'yes' } },
  { method: 'GET', url: '/', headers: { origin: PAGE } },
  { method: 'GET', url: '/', headers: { origin: 'https://evil.example' } },
  { method: 'OPTIONS', url: '/api/products', headers: { origin: PAGE, 'access-control-request-method': 'POST' } },
  { method: 'GET', url: '/nothing' },
  { method: 'POST', url: '/nothing', headers: FORM_TYPE, payload: 'a=1' },
  { method: 'GET', url: '/api' },
  { method: 'GET', url: '/api/nothing' },
  { method: 'GET', url: '/api/authors' },
  { method: 'GET', url: '/.well-known/nothing' },
  { method: 'GET', url: '/health/nothing' },
  { method: 'GET', url: '/%ff' },
];

describe('host application', () => {
  it.each(requests.map((request) => [request.method, request.url.slice(0, 60), request] as const))(
    'gets the same response to %s %s as without the service',
    async (_method, _url, request) => {
      expect(await answerOf(host, request)).toEqual(await answerOf(plain, request));
    },
  );

  it('logs its own requests and adds nothing to the log of the service', async () => {
    const before = logLines.length;
    await host.inject({ method: 'GET', url: '/api/products' });
    await host.inject({ method: 'GET', url: '/defect' });
    expect(logLines.slice(before)).toEqual([]);
  });
});

describe('service in a host application', () => {
  let ann: TestClient;

  const logIn = async (username: string, password: string): Promise<TestClient> => {
    const client = new TestClient(host);
    expect((await client.post('/api/auth/login', { type: 'password', username, password })).status).toBe(200);
    return client;
  };

  beforeAll(async () => {
    expect(
      (await new TestClient(host).post('/api/auth/register', { username: 'ann', password: PASSWORD })).status,
    ).toBe(201);
    ann = await logIn('ann', PASSWORD);
  });

  it('supports login, read, change, refresh and logout', async () => {
    await new TestClient(host).post('/api/auth/register', { username: 'bob', password: PASSWORD });
    const bob = await logIn('bob', PASSWORD);
    expect((await bob.get<{ username: string }>('/api/auth/me')).body.username).toBe('bob');
    expect((await bob.patch<{ nickname: string }>('/api/auth/me', { nickname: 'Bob' })).body.nickname).toBe('Bob');
    expect((await bob.post('/api/auth/refresh')).status).toBe(200);
    expect((await bob.post('/api/auth/logout')).status).toBe(204);
    expectProblem(await bob.get<Problem>('/api/auth/me'), 401, 'unauthenticated');
    expect((await bob.get('/health/ready')).status).toBe(200);
    expect((await bob.get('/.well-known/jwks.json')).status).toBe(200);
  });

  it('validates its input itself, whatever pipes the host has', async () => {
    const client = new TestClient(host);
    const registration = await client.post<Problem>('/api/auth/register', { username: 'x', is_admin: true });
    expect(registration.body.errors?.map(({ field, code }) => [field, code])).toEqual([
      ['is_admin', 'unknown_field'],
      ['username', 'min_length'],
      ['password', 'required'],
    ]);
    expect((await client.get<Problem>('/api/info?x=1')).body.errors).toMatchObject([
      { field: 'x', code: 'unknown_field' },
    ]);
  });

  it.each([
    ['an unknown address below its prefix', { method: 'GET', url: '/api/auth/nothing' }, 404, 'not_found'],
    ['a method that the route lacks', { method: 'PUT', url: '/api/auth/login' }, 404, 'not_found'],
    [
      'a form, although the host parses forms',
      { method: 'POST', url: '/api/auth/login', headers: FORM_TYPE, payload: 'a=1' },
      415,
      'unsupported_media_type',
    ],
    [
      'malformed JSON',
      { method: 'POST', url: '/api/auth/login', headers: JSON_TYPE, payload: '{' },
      400,
      'malformed_json',
    ],
    [
      'a body of 65 KiB',
      { method: 'POST', url: '/api/auth/login', headers: JSON_TYPE, payload: 'x'.repeat(66_000) },
      413,
      'payload_too_large',
    ],
    ['another origin', { method: 'POST', url: '/api/auth/logout', headers: { origin: PAGE } }, 403, 'csrf_rejected'],
    ['nobody', { method: 'GET', url: '/api/auth/me' }, 401, 'unauthenticated'],
    ['a percent-encoded spelling', { method: 'GET', url: '/%61pi/auth/me' }, 401, 'unauthenticated'],
    [
      'a forged request in a percent-encoded spelling',
      { method: 'POST', url: '/%61pi/auth/logout', headers: { origin: PAGE } },
      403,
      'csrf_rejected',
    ],
    ['an empty id', { method: 'DELETE', url: '/api/auth/sessions/' }, 404, 'not_found'],
  ] as [string, Request, number, string][])('returns its own problem for %s', async (_, request, status, code) => {
    const answer = await host.inject(request);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      status,
      'application/problem+json; charset=utf-8',
    ]);
    expect(answer.json<Problem>()).toMatchObject({ status, code, request_id: answer.headers['x-request-id'] });
    expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
  });

  it('lets no origin of the host’s CORS list read its responses', async () => {
    for (const url of ['/api/auth/me', '/api/auth/nothing', '/api/info']) {
      const { headers } = await host.inject({ method: 'GET', url, headers: { origin: PAGE } });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('returns the error of a global guard of the host as a problem', async () => {
    const answer = await host.inject({ method: 'GET', url: '/api/info', headers: { 'x-host-refuses': 'yes' } });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      403,
      'application/problem+json; charset=utf-8',
    ]);
    expect(answer.json()).toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('requires two factors when a route of the host declares it', async () => {
    await new TestClient(host).post('/api/auth/register', { username: 'two_factors', password: PASSWORD });
    const first = await logIn('two_factors', PASSWORD);
    expectProblem(await first.post<Problem>('/api/shop/refund'), 403, 'mfa_enrolment_required');
    const { secret } = await enrolTotp(await logIn('two_factors', PASSWORD));
    expect((await first.post<Problem>('/api/shop/refund')).body).toMatchObject({
      code: 'reauthentication_required',
      params: { factors: 2 },
    });
    await first.post('/api/auth/reauthenticate', { method: 'totp', code: codeOf(secret, 1) });
    expect((await first.post('/api/shop/refund')).body).toEqual({ refunded: true });
  });

  it('guards controllers of the host, including permissions and input', async () => {
    expectProblem(await new TestClient(host).get<Problem>('/api/shop/basket'), 401, 'unauthenticated');
    expect((await ann.get('/api/shop/basket')).body).toEqual({ owner: 'ann' });
    expect((await ann.get<Problem>('/api/shop/orders')).body).toMatchObject({
      code: 'permission_denied',
      params: { permission: 'order:read', scope: 'iam' },
    });
    const admin = await logIn(ADMIN.username, ADMIN.password);
    expect((await admin.get('/api/shop/orders')).body).toEqual({ items: [] });
    expect((await ann.post('/api/shop/orders', { what: 'tea' })).body).toEqual({ what: 'tea' });
    const rejected = await ann.post<Problem>('/api/shop/orders', { what: 'coffee', free: true });
    expect(rejected.body.errors).toMatchObject([
      { field: 'free', code: 'unknown_field' },
      { field: 'what', code: 'max_length' },
    ]);
    expectProblem(await ann.get<Problem>('/api/shop/nothing'), 404, 'not_found');
    expectProblem(await ann.post<Problem>('/api/shop/orders', {}, { headers: { origin: PAGE } }), 403, 'csrf_rejected');
  });

  it('returns errors of the host and of Nest as problems', async () => {
    const declared = await ann.post<Problem>('/api/shop/sold-out');
    expect(declared.body).toMatchObject({ status: 409, code: 'out_of_stock', title: 'Conflict', detail: 'Conflict' });
    const answer = await host.inject({ method: 'POST', url: '/api/shop/conflict', headers: { cookie: ann.cookie } });
    expect([answer.statusCode, answer.json()]).toMatchObject([409, { code: 'conflict', title: 'Conflict' }]);
    expect(answer.payload).not.toContain('own words');
    const closed = async (language: string) => {
      const headers = { cookie: ann.cookie, 'accept-language': language };
      return (await host.inject({ method: 'POST', url: '/api/shop/closed', headers })).json<Problem>();
    };
    expect(await closed('en')).toMatchObject({ status: 409, code: 'shop_closed', detail: 'The shop opens at 9.' });
    expect(await closed('zh-CN')).toMatchObject({ title: '发生冲突', detail: '商店9点开门。', params: { hour: 9 } });
  });
});

describe('@OnUserCreate() in a host application', () => {
  const register = (username: string) =>
    new TestClient(host).post<{ user: { id: string } }>('/api/auth/register', { username, password: PASSWORD });

  it('runs once for each new user, and the emitter of the host gets no event', async () => {
    const { body } = await register('welcome_me');
    const listener = host.get(HostListener);
    expect(listener.welcomed.filter(({ username }) => username === 'welcome_me')).toEqual([
      { userId: body.user.id, username: 'welcome_me', source: 'register' },
    ]);
    expect(listener.overheard).toEqual([]);
  });

  it('may throw or never finish: the user stays and the log has a warning', async () => {
    const started = performance.now();
    const [threw, hung] = await Promise.all([register('throws_up'), register('hangs_on')]);
    expect([threw.status, hung.status]).toEqual([201, 201]);
    expect(performance.now() - started).toBeGreaterThan(1_900);
    expect(performance.now() - started).toBeLessThan(10_000);
    for (const { id } of [threw.body.user, hung.body.user]) {
      const warnings = logLines.filter((line) => line.includes('"level":"warn"') && line.includes(id));
      expect(warnings).toHaveLength(1);
    }
    const client = new TestClient(host);
    expect(
      (await client.post('/api/auth/login', { type: 'password', username: 'hangs_on', password: PASSWORD })).status,
    ).toBe(200);
  });
});
