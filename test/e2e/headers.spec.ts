import { hstsIncludesSubdomains } from '../../src/platform/http/http.settings';
import { expectProblem } from '../support/service/expect-problem';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { listen, requestBytes, sendRaw } from '../support/service/raw-http';
import { eventually, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let client: TestClient;
let ann: TestClient;

withService(async (started) => {
  service = started;
  client = service.client();
  ann = await service.signUp('ann');
});

/** Provokes a defect: the session table is renamed during the request. */
async function brokenAnswer(): Promise<Answer<Problem>> {
  await service.query('ALTER TABLE session RENAME TO session_gone');
  try {
    return await ann.get<Problem>('/api/auth/sessions');
  } finally {
    await service.query('ALTER TABLE session_gone RENAME TO session');
  }
}

const kinds: [string, () => Promise<Answer<unknown>>, number][] = [
  ['200', () => ann.get('/api/auth/me'), 200],
  ['204', () => client.send('OPTIONS', '/api/auth/me'), 404],
  ['400', () => client.post('/api/auth/register', {}), 400],
  ['401', () => client.get('/api/auth/me'), 401],
  ['403', () => client.post('/api/auth/login', {}, { headers: { origin: 'https://evil.example' } }), 403],
  ['404', () => client.get('/api/nothing'), 404],
  ['404 of an invalid URL encoding', () => client.get('/api/%ff'), 404],
  ['413', () => client.post('/api/auth/login', 'x'.repeat(70_000)), 413],
  ['415', () => client.send('POST', '/api/auth/login', { raw: 'x' }), 415],
  ['500', brokenAnswer, 500],
];

describe('headers of every response', () => {
  it.each(kinds)('%s', async (_, ask, status) => {
    const { headers, status: given } = await ask();
    expect(given).toBe(status);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as string,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-request-id': expect.stringMatching(/^[A-Za-z0-9._-]{1,64}$/) as string,
      vary: expect.stringContaining('Origin') as string,
    });
    for (const name of ['server', 'x-powered-by', 'via', 'strict-transport-security', 'etag']) {
      expect(headers[name]).toBeUndefined();
    }
  });

  it('send HSTS only over https, also through a trusted proxy', async () => {
    const secure = await client.get('/api/nothing', { headers: { 'x-forwarded-proto': 'https' } });
    expect(secure.headers['strict-transport-security']).toMatch(/^max-age=\d{8,}/);
    const stranger = await client.get('/api/nothing', {
      remoteAddress: '203.0.113.9',
      headers: { 'x-forwarded-proto': 'https' },
    });
    expect(stranger.headers['strict-transport-security']).toBeUndefined();
  });

  it('extend HSTS to subdomains when the setting says so, on every instance', async () => {
    const other = await service.another();
    const ask = async (from: TestClient): Promise<unknown> =>
      (await from.get('/api/auth/me', { headers: { 'x-forwarded-proto': 'https' } })).headers[
        'strict-transport-security'
      ];
    expect(await ask(client)).toBe('max-age=31536000');
    expect(await ask(other.client())).toBe('max-age=31536000');
    await service.set(hstsIncludesSubdomains, true);
    await ann.get('/api/auth/me');
    expect(await ask(client)).toBe('max-age=31536000; includeSubDomains');
    const seen = await eventually(
      () => ask(other.client()),
      (header) => header !== 'max-age=31536000',
    );
    expect(seen).toBe('max-age=31536000; includeSubDomains');
    await service.set(hstsIncludesSubdomains, false);
  });

  it('allow caching below /api only for responses that are the same for every caller', async () => {
    const cacheControl = async (path: string): Promise<unknown> => (await client.get(path)).headers['cache-control'];
    expect(await cacheControl('/api/info')).toMatch(/^public, max-age=\d+$/);
    expect(await cacheControl('/.well-known/jwks.json')).toMatch(/^public, max-age=\d+$/);
    expect(await cacheControl('/api/avatar/seed.svg')).toContain('immutable');
    expect(await cacheControl('/api/avatar/seed.png')).toBe('no-store');
    expect(await cacheControl('/api/info?x=1')).toBe('no-store');
    expect(await cacheControl('/health/live')).toBe('no-store');
  });

  it('keep browsers from running avatars', async () => {
    const { headers } = await client.get('/api/avatar/seed.svg');
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': expect.stringContaining("default-src 'none'") as string,
    });
  });

  it('are the same over a real connection and name no software', async () => {
    const port = await listen(service.app);
    const { headers } = await sendRaw(port, requestBytes('GET', '/api/info'));
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', vary: 'Origin' });
    expect(Object.keys(headers).filter((name) => /server|powered|version|fastify|nest/i.test(name))).toEqual([]);
  });
});

describe('request id', () => {
  it.each(['abc', 'A.b-c_1', 'x'.repeat(64), '0198b2f4-7f7e-7aaa-8bbb-0123456789ab'])('accepts %s', async (id) => {
    const answer = await client.get<Problem>('/api/nothing', { headers: { 'x-request-id': id } });
    expect([answer.headers['x-request-id'], answer.body.request_id]).toEqual([id, id]);
  });

  it.each(['', 'x'.repeat(65), 'a b', 'a,b', 'a/b', 'ä', '<x>', '"', "'", '${x}', '../x', 'a:b'])(
    'replaces %j',
    async (id) => {
      const answer = await client.get<Problem>('/api/nothing', { headers: { 'x-request-id': id } });
      expect(answer.body.request_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
      expect(answer.headers['x-request-id']).toBe(answer.body.request_id);
    },
  );

  it('differs between requests and echoes the header for an address that cannot be decoded', async () => {
    const [one, other] = [await client.get<Problem>('/api/nothing'), await client.get<Problem>('/api/nothing')];
    expect(one.body.request_id).not.toBe(other.body.request_id);
    const unreadable = await client.get<Problem>('/%ff', { headers: { 'x-request-id': 'mine' } });
    expect([unreadable.headers['x-request-id'], unreadable.body.request_id]).toEqual(['mine', 'mine']);
  });
});

describe('an internal error', () => {
  it('returns internal_error without details and logs them with the request id', async () => {
    const answer = await brokenAnswer();
    expectProblem(answer, 500, 'internal_error');
    expect(Object.keys(answer.body).sort()).toEqual(['code', 'detail', 'request_id', 'status', 'title', 'type']);
    expect(answer.text).not.toMatch(/session|relation|select|\.ts|\.js|node_modules|QueryFailed|typeorm/i);
    const lines = service.logLines.map((text) => JSON.parse(text) as Record<string, unknown>);
    const line = lines.find((entry) => entry['level'] === 'error' && entry['request_id'] === answer.body.request_id);
    expect(line).toMatchObject({ err: expect.anything() as object });
    expect((await ann.get('/api/auth/sessions')).status).toBe(200);
  });
});
