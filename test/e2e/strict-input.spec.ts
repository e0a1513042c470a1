import { Method, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { expectProblem } from '../support/service/expect-problem';
import { withService } from '../support/service/with-service';

let service: TestService;
let ann: TestClient;

withService(async (started) => {
  service = started;
  ann = await service.signUp('ann', { nickname: 'Ann' });
});

const fieldsOf = (problem: Problem): [string, string][] =>
  (problem.errors ?? []).map(({ field, code }) => [field, code]);

describe('unknown fields', () => {
  it.each([
    'id',
    'roles',
    'role_ids',
    'permissions',
    'level',
    'password',
    'password_hash',
    'email_verified',
    'emailVerified',
    'phone_verified',
    'status',
    'must_change_password',
    'created_at',
    'last_login_at',
    'username',
    'userId',
    'is_admin',
    'emailKey',
    'email_key',
  ])('are rejected and named: %s of PATCH me, which changes nothing', async (field) => {
    const before = await service.query(`SELECT * FROM user_account WHERE username = 'ann'`);
    for (const value of [true, 'admin', 7, null, [], {}]) {
      const answer = await ann.patch<Problem>('/api/auth/me', { nickname: 'Changed', [field]: value });
      expectProblem(answer, 400, 'validation_failed');
      expect(fieldsOf(answer.body)).toEqual([[field, 'unknown_field']]);
    }
    expect(await service.query(`SELECT * FROM user_account WHERE username = 'ann'`)).toEqual(before);
  });

  it('are all named, in the body and in the query', async () => {
    const body = await service
      .client()
      .post<Problem>('/api/auth/register', { username: 'x1y', password: PASSWORD, roles: [], id: 'x' });
    expect(fieldsOf(body.body)).toEqual([
      ['roles', 'unknown_field'],
      ['id', 'unknown_field'],
    ]);
    const query = await ann.get<Problem>('/api/auth/me?page=1&fields=id');
    expect(fieldsOf(query.body)).toEqual([
      ['page', 'unknown_field'],
      ['fields', 'unknown_field'],
    ]);
  });

  it.each<[Method, string]>([
    ['POST', '/api/auth/logout'],
    ['DELETE', '/api/auth/sessions'],
    ['DELETE', '/api/auth/me'],
  ])('are rejected before any effect in a body of %s %s, which takes none', async (method, path) => {
    const answer = await ann.send<Problem>(method, path, { body: { force: true } });
    expect(fieldsOf(answer.body)).toEqual([['force', 'unknown_field']]);
    const list = await ann.send<Problem>(method, path, { raw: '[1]', headers: { 'content-type': 'application/json' } });
    expect(fieldsOf(list.body)).toEqual([['', 'type_object']]);
    expect((await ann.get('/api/auth/me')).status).toBe(200);
  });

  it('do not include an empty object for a route without a body', async () => {
    const bob = await service.signUp('bob');
    expect((await bob.post('/api/auth/logout', {})).status).toBe(204);
  });
});

describe('queries', () => {
  it.each([
    [
      'x=1&x=2',
      [
        ['x', 'given_twice'],
        ['x', 'unknown_field'],
      ],
    ],
    ['a[]=1', [['a[]', 'unknown_field']]],
    ['a[b]=1', [['a[b]', 'unknown_field']]],
    ['__proto__=1', [['__proto__', 'unknown_field']]],
    ['constructor=1', [['constructor', 'unknown_field']]],
    ['toString=1', [['toString', 'unknown_field']]],
    ['lang=en&lang=zh', [['lang', 'given_twice']]],
    ['LANG=en', [['LANG', 'unknown_field']]],
    ['%ff=1', [['%ff', 'unknown_field']]],
    ['=1', [['', 'unknown_field']]],
  ])('?%s is rejected on every route', async (query, fields) => {
    for (const path of ['/api/info', '/api/auth/sessions', '/health/live', '/.well-known/jwks.json']) {
      const answer = await ann.get<Problem>(`${path}?${query}`);
      expect([path, answer.status, fieldsOf(answer.body)]).toEqual([path, 400, fields]);
    }
  });

  it.each(['lang=en', 'lang=zh', 'lang=', 'lang=xx', 'lang=%00', 'lang=%ff', '', '&', '&&'])(
    '?%s is accepted on every route',
    async (query) => {
      for (const path of ['/api/info', '/api/auth/me', '/health/ready', '/.well-known/jwks.json']) {
        expect([path, (await ann.get(`${path}?${query}`)).status]).toEqual([path, 200]);
      }
      expect((await ann.post(`/api/auth/users?${query}`, { keyword: 'ann' })).status).toBe(200);
    },
  );
});

describe('values of another type', () => {
  const strange: unknown[] = [1, true, [], ['x'], {}, { role: 'admin' }, { $ne: null }, { toString: 'x' }, [['x']]];

  it.each(['username', 'password', 'email', 'phone', 'nickname', 'email_code', 'phone_code'])(
    'are rejected by register: a %s that is no text',
    async (field) => {
      for (const value of strange) {
        const body = { username: 'strange', password: PASSWORD, [field]: value };
        const answer = await service.client().post<Problem>('/api/auth/register', body);
        expect([value, answer.body.code, answer.body.errors?.[0]?.field.split(/[.[]/)[0]]).toEqual([
          value,
          'validation_failed',
          field,
        ]);
      }
    },
  );

  it.each(['username', 'password'])('are rejected by register and login: a missing %s', async (field) => {
    for (const value of [undefined, null]) {
      const body = { type: 'password', username: 'ann', password: PASSWORD, [field]: value };
      expectProblem(await service.client().post<Problem>('/api/auth/login', body), 400, 'validation_failed');
      const { type: _type, ...registration } = body;
      expectProblem(await service.client().post<Problem>('/api/auth/register', registration), 400, 'validation_failed');
    }
  });

  it.each(['type', 'username', 'password', 'remember'])(
    'are rejected by login: a %s of another type',
    async (field) => {
      for (const value of [1, [], ['password'], {}, { type: 'password' }]) {
        const body = { type: 'password', username: 'ann', password: PASSWORD, [field]: value };
        const answer = await service.client().post<Problem>('/api/auth/login', body);
        expect([value, answer.body.code]).toEqual([value, 'validation_failed']);
      }
    },
  );

  it.each([
    [{ ids: 'x' }, 'type_list'],
    [{ ids: [1] }, 'id'],
    [{ ids: [null] }, 'id'],
    [{ ids: ['{0198b2f4-7f7e-7aaa-8bbb-0123456789ab}'] }, 'id'],
    [{ ids: ['0198B2F4-7F7E-7AAA-8BBB-0123456789AB'] }, 'id'],
    [{ ids: Array.from({ length: 101 }, () => '0198b2f4-7f7e-7aaa-8bbb-0123456789ab') }, 'max_items'],
    [{ keyword: 'an', limit: '5' }, 'type_integer'],
    [{ keyword: 'an', limit: 1e9 }, 'max'],
    [{ keyword: 'an', limit: 1.5 }, 'type_integer'],
    [{ keyword: 'an', limit: -1 }, 'min'],
    [{ keyword: ['an'] }, 'type_text'],
  ])('are rejected by search: %j', async (body, code) => {
    const answer = await ann.post<Problem>('/api/auth/users', body);
    expect(answer.body).toMatchObject({ code: 'validation_failed', errors: [{ code }] });
  });

  it.each([
    ['variation selectors', '\uFE0F'.repeat(20_000), 'max_length'],
    ['a character beyond the limit', 'n'.repeat(51), 'max_length'],
    ['NUL', 'a\u0000b', 'well_formed'],
    ['a lone surrogate', 'a\uD800b', 'well_formed'],
  ])('are rejected as nickname: %s', async (_, nickname, code) => {
    const answer = await ann.patch<Problem>('/api/auth/me', { nickname });
    expect(answer.body).toMatchObject({ code: 'validation_failed', errors: [{ field: 'nickname', code }] });
  });

  it('are counted in characters, not bytes', async () => {
    const answer = await ann.patch<{ nickname: string }>('/api/auth/me', { nickname: '😀'.repeat(50) });
    expect(answer.body.nickname).toBe('😀'.repeat(50));
  });
});
