import { Method, Problem, TestClient } from '../support/service/test-client';
import { listen, requestBytes, sendRaw } from '../support/service/raw-http';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';
import { expectProblem } from '../support/service/expect-problem';

const JSON_TYPE = 'application/json';
const ID = '0198b2f4-7f7e-7aaa-8bbb-0123456789ab';

let service: TestService;
let client: TestClient;
let ann: TestClient;
let port: number;

withService(async (started) => {
  service = started;
  client = service.client();
  ann = await service.signUp('ann');
  port = await listen(service.app);
});

const send = (path: string, raw: string | Buffer, headers: Record<string, string> = { 'content-type': JSON_TYPE }) =>
  client.send<Problem>('POST', path, { raw, headers });

describe('unknown addresses', () => {
  it.each<[Method, string]>([
    ['GET', '/nothing'],
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/nothing?x=1'],
    ['POST', '/api/nothing'],
    ['GET', '/api/auth/login'],
    ['PUT', '/api/auth/login'],
    ['GET', '/api/auth/logout'],
    ['GET', '/api/auth/refresh'],
    ['DELETE', '/api/info'],
    ['POST', '/api/auth/me'],
    ['OPTIONS', '/api/info'],
    ['GET', '/api/avatar/'],
    ['DELETE', '/api/auth/sessions/'],
    ['GET', '/.env'],
  ])('return 404 for %s %s, also for a method that the route lacks', async (method, path) => {
    const answer = await client.send<Problem>(method, path);
    expectProblem(answer, 404, 'not_found');
    expect(answer.body.type).toBe('about:blank');
    expect(answer.headers['allow']).toBeUndefined();
  });

  it('answer HEAD like GET without a body, and with 404 when there is no GET', async () => {
    const there = await sendRaw(port, requestBytes('HEAD', '/api/info'));
    expect(there).toMatchObject({ status: 200, text: '' });
    const notThere = await sendRaw(port, requestBytes('HEAD', '/api/auth/logout'));
    expect(notThere).toMatchObject({ status: 404, text: '' });
  });

  it.each(['TRACE', 'PROPFIND', 'QUERY', 'PURGE', 'LOCK'])('return 404 for %s and echo nothing', async (method) => {
    const answer = await sendRaw(port, requestBytes(method, '/api/info', 'X-Canary: echo-me'));
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('"code":"not_found"');
    expect(answer.text).not.toContain('echo-me');
  });

  it('return 404 for ids that cannot exist', async () => {
    for (const id of ['1', 'NaN', 'null', `{${ID}}`, ID.toUpperCase(), 'x'.repeat(101), 'x'.repeat(4_000), '%00']) {
      const answer = await ann.delete<Problem>(`/api/auth/sessions/${id}`);
      expect([id, answer.body.code]).toEqual([id, 'not_found']);
    }
  });
});

describe('request bodies', () => {
  it.each([
    '{',
    '{"username":',
    "{'username':'x'}",
    'undefined',
    '{"a":1}x',
    '\u0000',
    '[1,',
    'NaN',
    '\uFEFF{',
    Buffer.from('{"a":"\xff"'),
  ])('are malformed_json when they are %j', async (raw) => {
    expectProblem(await send('/api/auth/login', raw), 400, 'malformed_json');
  });

  it.each(['[]', '"x"', '1', 'true', '[{}]'])('are rejected when they are %s and not an object', async (raw) => {
    for (const path of ['/api/auth/login', '/api/auth/register', '/api/auth/refresh']) {
      const answer = await send(path, raw);
      expect(answer.body).toMatchObject({ code: 'validation_failed', errors: [{ field: '', code: 'type_object' }] });
    }
  });

  it.each(['null', '{}', ''])('count %j as empty, so required fields are missing', async (raw) => {
    const registration = await send('/api/auth/register', raw);
    expect(registration.body.errors).toEqual([
      expect.objectContaining({ field: 'username', code: 'required' }),
      expect.objectContaining({ field: 'password', code: 'required' }),
    ]);
    expectProblem(await send('/api/auth/login', raw), 400, 'validation_failed');
    expectProblem(await send('/api/auth/refresh', raw), 401, 'unauthenticated');
  });

  it.each([
    ['{"__proto__":{"x":1}}'],
    ['{"username":"eve","__proto__":{"is_admin":true}}'],
    ['{"constructor":{"prototype":{"x":1}}}'],
    ['{"username":"eve1","password":"correct horse battery staple","constructor":1}'],
    ['{"username":"eve2","password":"correct horse battery staple","prototype":{}}'],
    ['{"username":"eve3","password":"correct horse battery staple","toString":"x"}'],
    ['{"username":"eve4","password":"correct horse battery staple","hasOwnProperty":1}'],
    ['{"username":"eve6","password":"correct horse battery staple","valueOf":1,"__defineGetter__":1}'],
    ['{"username":"eve5","password":"correct horse battery staple","\\u005f_proto__":{}}'],
  ])('are rejected without effect when they are %s', async (raw) => {
    const before = (await client.get('/api/info')).body;
    for (const path of ['/api/auth/register', '/api/auth/login']) {
      const answer = await send(path, raw);
      expect(answer.status).toBe(400);
      expect(['malformed_json', 'validation_failed']).toContain(answer.body.code);
    }
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    expect((await client.get('/api/info')).body).toEqual(before);
    expect(await service.query(`SELECT username FROM user_account WHERE username LIKE 'eve%'`)).toEqual([]);
  });

  it('use the last value of a duplicate key', async () => {
    const answer = await send('/api/auth/register', `{"username":"x","username":"twice_key","password":"${PASSWORD}"}`);
    expect(answer.body).toMatchObject({ user: { username: 'twice_key' } });
  });

  it('may have 64 KiB and not a byte more', async () => {
    const filler = (bytes: number): string => `{"username":"${'a'.repeat(bytes - 15)}"}`;
    expectProblem(await send('/api/auth/login', filler(65_536)), 400, 'validation_failed');
    expectProblem(await send('/api/auth/login', filler(65_537)), 413, 'payload_too_large');
    const claimed = await sendRaw(
      port,
      requestBytes('POST', '/api/auth/login', 'Content-Type: application/json', 'Content-Length: 99999999'),
    );
    expect(claimed.status).toBe(413);
    expect(claimed.text).toContain('payload_too_large');
  });

  it.each([
    ['lists', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
    ['objects', (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)],
  ])('are rejected without a crash for deeply nested %s in any field', async (_, nest) => {
    for (const depth of [12, 100, 2_000, 9_000]) {
      for (const field of ['username', 'nickname', 'unknown']) {
        const raw = `{"username":"deep","password":"${PASSWORD}","${field}":${nest(depth)}}`;
        expectProblem(await send('/api/auth/register', raw), 400, 'validation_failed');
      }
      expectProblem(await send('/api/auth/register', nest(depth)), 400, 'validation_failed');
      expect(
        (
          await ann.send<Problem>('POST', '/api/auth/logout', {
            raw: nest(depth),
            headers: { 'content-type': JSON_TYPE },
          })
        ).status,
      ).toBe(400);
    }
  });

  it('report at most 100 invalid fields', async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, 1]));
    for (const path of ['/api/auth/register', '/api/auth/refresh']) {
      const answer = await client.post<Problem>(path, many);
      expect(answer.body.errors).toHaveLength(100);
    }
    const logout = await ann.post<Problem>('/api/auth/logout', many);
    expect(logout.body.errors).toHaveLength(100);
    const query = Array.from({ length: 1_000 }, (_, index) => `q${index}=1`).join('&');
    expect((await client.get<Problem>(`/api/info?${query}`)).body.errors).toHaveLength(100);
  });

  it('are ignored for methods without a body', async () => {
    const raw = '{"x":';
    const answer = await client.send('GET', '/api/info', { raw, headers: { 'content-type': JSON_TYPE } });
    expect(answer.status).toBe(200);
  });
});

describe('content types', () => {
  const body = JSON.stringify({ username: 'typed', password: PASSWORD });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'application/json x',
    'application/json\ta',
    ' application/json ;x',
    'application/json; charset=latin1',
    'application/json;charset',
    'application/json,text/plain',
    'application/problem+json',
    'application/merge-patch+json',
    'text/json',
    'application',
    '*/*',
    'application/json; charset=gbk; v=1',
    '',
  ])('reject %j with 415 without effect', async (type) => {
    for (const path of ['/api/auth/register', '/api/auth/login', '/api/auth/refresh']) {
      const answer = await send(path, body, { 'content-type': type });
      expectProblem(answer, 415, 'unsupported_media_type');
    }
    const patch = await ann.send<Problem>('PATCH', '/api/auth/me', {
      raw: '{"nickname":"typed"}',
      headers: { 'content-type': type },
    });
    expect(patch.status).toBe(415);
    expect(await service.query(`SELECT 1 FROM user_account WHERE username = 'typed' OR nickname = 'typed'`)).toEqual(
      [],
    );
  });

  it.each(['gzip', 'br', 'x-gzip, identity', 'deflate', 'utf-8'])(
    'reject a body with the content coding %j with 415, whatever the body is',
    async (coding) => {
      for (const path of ['/api/auth/register', '/api/oauth/token']) {
        const form = path.endsWith('token') ? 'application/x-www-form-urlencoded' : JSON_TYPE;
        const answer = await send(path, body, { 'content-type': form, 'content-encoding': coding });
        expect(answer.status).toBe(415);
      }
      expect(await service.query(`SELECT 1 FROM user_account WHERE username = 'typed'`)).toEqual([]);
    },
  );

  it('accept the identity coding, and any coding without a body', async () => {
    const plain = await send('/api/auth/login', body, { 'content-type': JSON_TYPE, 'content-encoding': 'Identity' });
    expect(plain.status).not.toBe(415);
    const bodyless = await client.send('POST', '/api/auth/refresh', { headers: { 'content-encoding': 'gzip' } });
    expect(bodyless.status).toBe(401);
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset=utf8',
    'application/json;odata=verbose',
    'application/json; boundary=x',
    'application/json;',
  ])('accept %j', async (type) => {
    expectProblem(await send('/api/auth/login', '{}', { 'content-type': type }), 400, 'validation_failed');
  });

  it('are not required without a body, and ignored then', async () => {
    for (const headers of [
      {} as Record<string, string>,
      { 'content-type': 'text/plain' },
      { 'content-type': JSON_TYPE, 'content-length': '0' },
    ]) {
      const answer = await client.send<Problem>('POST', '/api/auth/refresh', { headers });
      expectProblem(answer, 401, 'unauthenticated');
    }
  });
});

describe('order of checks', () => {
  const evil = { origin: 'https://evil.example' };
  const long = `"${'x'.repeat(70_000)}"`;
  const json = { 'content-type': JSON_TYPE };

  it('is readable body, CSRF, authentication, authorization, fields, existence', async () => {
    const code = async (
      method: Method,
      path: string,
      raw: string,
      headers: Record<string, string>,
      by = client,
    ): Promise<string> => (await by.send<Problem>(method, path, { raw, headers })).body.code;

    expect(await code('PATCH', '/api/auth/me', '{"x":1}', { 'content-type': 'text/plain', ...evil })).toBe(
      'unsupported_media_type',
    );
    expect(await code('PATCH', '/api/auth/me', long, { ...json, ...evil })).toBe('payload_too_large');
    expect(await code('PATCH', '/api/auth/me', '{', { ...json, ...evil })).toBe('malformed_json');
    expect(await code('PATCH', '/api/auth/me', '{"x":1}', { ...json, ...evil })).toBe('csrf_rejected');
    expect(await code('PATCH', '/api/auth/me', '{"x":1}', json)).toBe('unauthenticated');
    expect(await code('PATCH', '/api/auth/me', '{"x":1}', json, ann)).toBe('validation_failed');
    expect(await code('DELETE', `/api/auth/sessions/${ID}?x=1`, '', {}, ann)).toBe('validation_failed');
    expect(await code('DELETE', `/api/auth/sessions/${ID}`, '', {}, ann)).toBe('not_found');
  });
});
