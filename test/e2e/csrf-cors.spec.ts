import { allowedOrigins } from '../../src/platform/http';
import { accessTable } from '../support/documents/access-table';
import { expectProblem } from '../support/service/expect-problem';
import { Answer, Method, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const LISTED = 'https://app.example.com';
const OWN = 'http://localhost';
const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

let service: TestService;
let ann: TestClient;

withService(async (started) => {
  service = started;
  await service.set(allowedOrigins, [LISTED, 'http://localhost:3000']);
  ann = await service.signUp('ann');
});

/** A forged request to these routes is rejected before the handler runs. */
const unsafe: [Method, string, unknown][] = [
  ['POST', '/api/auth/login', { type: 'password', username: 'ann', password: PASSWORD }],
  ['POST', '/api/auth/register', { username: 'forged', password: PASSWORD }],
  ['POST', '/api/auth/refresh', undefined],
  ['POST', '/api/auth/logout', undefined],
  ['POST', '/api/auth/reauthenticate', { password: PASSWORD }],
  ['PATCH', '/api/auth/me', { nickname: 'forged' }],
  ['PUT', '/api/auth/me/password', { current_password: PASSWORD, new_password: 'another password of ann' }],
  ['DELETE', '/api/auth/me', undefined],
  ['DELETE', '/api/auth/sessions', undefined],
  ['POST', '/api/auth/users', { keyword: 'ann' }],
];

const rejected: [string, Record<string, string>, string][] = [
  ['another origin', { origin: 'https://evil.example' }, 'origin'],
  [
    'another origin with a same-origin Sec-Fetch-Site',
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    'origin',
  ],
  ['the null origin', { origin: 'null' }, 'origin_null'],
  [
    'the null origin with a same-origin Sec-Fetch-Site',
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
    'origin_null',
  ],
  ['the own host over https', { origin: 'https://localhost' }, 'origin'],
  ['the own host on another port', { origin: 'http://localhost:8080' }, 'origin'],
  ['a subdomain of the own host', { origin: 'http://sub.localhost' }, 'origin'],
  ['a sibling of a listed host', { origin: 'https://other.example.com' }, 'origin'],
  ['a subdomain of a listed host', { origin: 'https://x.app.example.com' }, 'origin'],
  ['a listed host over http', { origin: 'http://app.example.com' }, 'origin'],
  ['a host with a listed host as prefix', { origin: 'https://app.example.com.evil.example' }, 'origin'],
  ['a host with a listed host as suffix', { origin: 'https://evilapp.example.com' }, 'origin'],
  ['a listed origin with a path', { origin: `${LISTED}/` }, 'origin'],
  ['an empty origin', { origin: '' }, 'origin'],
  ['two origins', { origin: `${LISTED}, https://evil.example` }, 'origin'],
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 'fetch_site'],
  ['a page of a sibling host', { 'sec-fetch-site': 'same-site' }, 'fetch_site'],
  ['an invalid Sec-Fetch-Site', { 'sec-fetch-site': 'mine' }, 'fetch_site'],
];

const passing: [string, Record<string, string>][] = [
  ['a client without these headers', {}],
  ['the own page', { origin: OWN, 'sec-fetch-site': 'same-origin' }],
  ['the own page in an old browser', { origin: OWN }],
  ['a listed origin', { origin: LISTED, 'sec-fetch-site': 'cross-site' }],
  ['a listed origin in capitals', { origin: 'HTTPS://APP.example.com' }],
  ['the own page without an origin', { 'sec-fetch-site': 'same-origin' }],
  ['the address bar', { 'sec-fetch-site': 'none' }],
];

describe('CSRF protection', () => {
  it.each(rejected)('rejects %s on every unsafe route, with and without cookies', async (_, headers, check) => {
    for (const [method, path, body] of unsafe) {
      for (const by of [ann, service.client()]) {
        const answer = await by.send<Problem>(method, path, { headers, ...(body !== undefined && { body }) });
        expect([path, answer.body]).toMatchObject([path, { status: 403, code: 'csrf_rejected', params: { check } }]);
        expect(answer.body.detail).toContain(check);
        expect(answer.setCookies).toEqual([]);
      }
    }
    expect((await ann.get<{ nickname: string }>('/api/auth/me')).body.nickname).toBe('');
    expect(await service.query(`SELECT 1 FROM user_account WHERE username = 'forged'`)).toEqual([]);
  });

  it.each(passing)('accepts %s', async (_, headers) => {
    const login = await service.client().send('POST', '/api/auth/login', {
      body: { type: 'password', username: 'ann', password: PASSWORD },
      headers,
    });
    expect(login.status).toBe(200);
    expect((await ann.send('PATCH', '/api/auth/me', { body: { locale: null }, headers })).status).toBe(200);
  });

  it('accepts safe methods from any origin', async () => {
    for (const [, headers] of rejected) expect((await ann.get('/api/auth/me', { headers })).status).toBe(200);
  });

  it('ignores method overrides in headers and parameters', async () => {
    for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      for (const value of ['DELETE', 'POST', 'PATCH']) {
        const answer = await ann.get('/api/auth/me', { headers: { [name]: value } });
        expect(answer.status).toBe(200);
        const posted = await ann.send<Problem>('POST', '/api/auth/me', { headers: { [name]: value } });
        expectProblem(posted, 404, 'not_found');
      }
    }
    expectProblem(await ann.get<Problem>('/api/auth/me?_method=DELETE'), 400, 'validation_failed');
    expectProblem(await ann.post<Problem>('/api/auth/logout', { _method: 'DELETE' }), 400, 'validation_failed');
    expect((await ann.get('/api/auth/me')).status).toBe(200);
  });

  it('leaves no route that changes state by a safe method', async () => {
    const routes = Object.keys(accessTable).map((route) => route.split(' ') as [Method, string]);
    const readable = new Set(routes.flatMap(([method, path]) => (method === 'GET' ? [path] : [])));
    const changing = new Set(routes.flatMap(([, path]) => (readable.has(path) ? [] : [path])));
    expect(changing.size).toBeGreaterThan(20);
    const admin = await service.admin();
    for (const path of changing) {
      for (const method of ['GET', 'HEAD'] as const) {
        expect([method, path, (await admin.send(method, path.replace(/\{\w+\}/g, UNKNOWN_ID))).status]).toEqual([
          method,
          path,
          404,
        ]);
      }
    }
    expect((await admin.get('/api/auth/me')).status).toBe(200);
  });

  it('applies a change of the allowed origins immediately', async () => {
    const other = 'https://soon-gone.example';
    const ask = (): Promise<Answer<Problem>> =>
      ann.send<Problem>('PATCH', '/api/auth/me', { body: { locale: null }, headers: { origin: other } });
    expect((await ask()).status).toBe(403);
    await service.set(allowedOrigins, [LISTED, other]);
    expect((await ask()).status).toBe(200);
    await service.set(allowedOrigins, [LISTED, 'http://localhost:3000']);
    expect((await ask()).status).toBe(403);
  });
});

describe('CORS', () => {
  const preflight = (origin: string): Record<string, string> => ({
    origin,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'content-type',
  });

  it('allows a listed origin with credentials', async () => {
    const { headers } = await ann.get('/api/auth/me', { headers: { origin: LISTED } });
    expect(headers).toMatchObject({
      'access-control-allow-origin': LISTED,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'x-request-id, retry-after',
      vary: 'Origin',
    });
  });

  it.each([
    'https://evil.example',
    'null',
    'https://app.example.com.evil.example',
    'https://goodapp.example.com',
    'http://app.example.com',
    '*',
    `${LISTED}.`,
  ])('sends no CORS header to %s, whatever the response', async (origin) => {
    const answers = [
      await ann.get('/api/auth/me', { headers: { origin } }),
      await ann.get('/api/nothing', { headers: { origin } }),
      await ann.post('/api/auth/logout', undefined, { headers: { origin } }),
      await ann.send('OPTIONS', '/api/auth/me', { headers: preflight(origin) }),
    ];
    for (const { headers } of answers) {
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(headers['vary']).toBe('Origin');
    }
  });

  it('sends Vary: Origin also without an Origin header', async () => {
    expect((await ann.get('/api/info')).headers['vary']).toBe('Origin');
  });

  it('answers a preflight of a listed origin at any address', async () => {
    for (const path of ['/api/auth/me', '/api/auth/login', '/api/nothing']) {
      const answer = await service.client().send('OPTIONS', path, { headers: preflight(LISTED) });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': LISTED,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        vary: 'Origin',
      });
      expect(String(answer.headers['access-control-allow-headers'])).toContain('content-type');
      expect(Number(answer.headers['access-control-max-age'])).toBeGreaterThan(0);
    }
  });

  it('lets a listed origin read the health status', async () => {
    const { headers } = await service.client().get('/health/ready', { headers: { origin: LISTED } });
    expect(headers['access-control-allow-origin']).toBe(LISTED);
  });

  it('lets a listed origin read errors', async () => {
    for (const path of ['/api/auth/me', '/api/nothing', '/api/info?x=1']) {
      const answer = await service.client().get(path, { headers: { origin: LISTED } });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.headers['access-control-allow-origin']).toBe(LISTED);
    }
  });

  it('returns 404 for OPTIONS without a preflight header', async () => {
    expectProblem(
      await ann.send<Problem>('OPTIONS', '/api/auth/me', { headers: { origin: LISTED } }),
      404,
      'not_found',
    );
  });
});
