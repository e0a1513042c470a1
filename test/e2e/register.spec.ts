import { emailCodeRequired, phoneCodeRequired, registrationEnabled, registerPerHourPerAddress } from '../../src/auth';
import { defaultRole } from '../../src/rbac';
import { UserEventsService } from '../../src/users';
import { expectProblem } from '../support/service/expect-problem';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Registered {
  readonly user: Record<string, unknown> & { readonly id: string };
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const OWN_AVATAR = /^\/api\/avatar\/[A-Za-z0-9_-]{22}\.svg$/;

describe('registration', () => {
  let service: TestService;
  let client: TestClient;
  let names = 0;

  const freshName = (): string => `user_${++names}`;
  const register = <T = Registered & Problem>(body: unknown): Promise<Answer<T>> =>
    client.post<T>('/api/auth/register', body);
  /** A valid registration except for the given fields. */
  const tryWith = (more: Record<string, unknown>): Promise<Answer<Registered & Problem>> =>
    register({ username: freshName(), password: PASSWORD, ...more });
  const count = async (): Promise<number> => {
    const [row] = await service.query<{ count: number }>('SELECT count(*)::int AS count FROM user_account');
    return row?.count ?? -1;
  };
  const fieldsOf = ({ body }: Answer<Problem>): string[] =>
    (body.errors ?? []).map(({ field, code }) => `${field}: ${code}`);

  withService((started) => {
    service = started;
  });

  beforeEach(() => {
    client = service.client();
  });

  it('returns the whole account and creates no session', async () => {
    const answer = await register({ username: 'Ann_1', password: PASSWORD });

    expect(answer.status).toBe(201);
    expect(answer.setCookies).toEqual([]);
    expect(Object.keys(answer.body)).toEqual(['user']);
    expect(answer.body.user).toEqual({
      id: expect.stringMatching(UUID_V7) as string,
      username: 'Ann_1',
      default_scope: 'iam',
      required_levels: [],
      nickname: '',
      avatar: expect.stringMatching(OWN_AVATAR) as string,
      email: null,
      email_verified: false,
      phone: null,
      phone_verified: false,
      locale: null,
      status: 'active',
      has_password: true,
      attributes: {},
      terms_version: null,
      terms_accepted_at: null,
      deletion_due_at: null,
      pending: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      updated_at: answer.body.user['created_at'],
      last_login_at: null,
      permissions: [
        { scope: 'iam', permission_id: 'profile:read', level: 1 },
        { scope: 'iam', permission_id: 'profile:update', level: 3 },
      ],
    });
    expect(await service.query('SELECT 1 FROM session')).toEqual([]);
  });

  it('stores the password only as an argon2id hash', async () => {
    const { body } = await tryWith({});
    const rows = await service.query<{ password_hash: string }>('SELECT * FROM user_account WHERE id = $1', [
      body.user.id,
    ]);
    expect(rows[0]?.password_hash).toMatch(/^\$argon2id\$/);
    expect(JSON.stringify(rows)).not.toContain(PASSWORD);
    expect(service.logLines.join('\n')).not.toContain(PASSWORD);
  });

  it('reports every invalid field and stores nothing', async () => {
    const before = await count();
    const answer = await register({ email: 'no', phone: 5, nickname: ['a'], admin: true });
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer).sort()).toEqual([
      'admin: unknown_field',
      'email: email',
      'nickname: type_text',
      'password: required',
      'phone: type_text',
      'username: required',
    ]);
    expect(await count()).toBe(before);
  });

  it.each(['null', '[]', '"x"', '5', '{}', '[{"username":"listed"}]'])('rejects the body %s', async (raw) => {
    const answer = await client.post<Problem>('/api/auth/register', undefined, {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(400);
  });

  it.each([
    'id',
    'status',
    'roles',
    'role_ids',
    'permissions',
    'level',
    'email_verified',
    'phone_verified',
    'must_change_password',
    'created_at',
    'avatar',
    'locale',
    'password_hash',
    'passwordVersion',
  ])('rejects the field "%s"', async (field) => {
    const answer = await tryWith({ [field]: 'x' });
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual([`${field}: unknown_field`]);
  });

  it.each([null, 5, true, ['ann'], { $ne: null }])('rejects %j as a text', async (value) => {
    for (const field of ['username', 'password']) {
      const answer = await tryWith({ [field]: value });
      expect(fieldsOf(answer)).toEqual([`${field}: type_text`]);
    }
  });

  describe('with codes', () => {
    it.each([
      { email: 'code@example.com', email_code: '123456' },
      { phone: '+8613800138077', phone_code: '123456' },
    ])('rejects a malformed code: %j', async (body) => {
      const answer = await tryWith(body);
      expectProblem(answer, 400, 'code_invalid');
    });

    it.each([
      ['email_code', emailCodeRequired],
      ['phone_code', phoneCodeRequired],
    ])('requires %s when the setting says so', async (field, setting) => {
      await service.set(setting, true);
      try {
        for (const code of [undefined, null, '']) {
          const answer = await tryWith({ email: 'asked@example.com', phone: '+8613800138088', [field]: code });
          expect(answer.status).toBe(400);
          expect(fieldsOf(answer)).toEqual([`${field}: required`]);
        }
      } finally {
        await service.set(setting, false);
      }
      expect(await service.query(`SELECT 1 FROM user_account WHERE email = 'asked@example.com'`)).toEqual([]);
    });
  });

  it('is rejected while it is disabled', async () => {
    await service.set(registrationEnabled, false);
    const before = await count();
    try {
      // The check for disabled registration comes before the validation of fields.
      for (const body of [
        { username: freshName(), password: PASSWORD },
        { username: 'x' },
        { colour: 'blue' },
        [],
        {},
      ]) {
        const answer = await register(body);
        expectProblem(answer, 403, 'registration_disabled');
      }
    } finally {
      await service.set(registrationEnabled, true);
    }
    expect(await count()).toBe(before);
  });

  it('assigns the role that the setting names', async () => {
    await service.query(
      `INSERT INTO role (id, scope, name) VALUES ('00000000-0000-7000-8000-00000000000a', 'iam', 'guest')`,
    );
    await service.set(defaultRole, 'guest');
    try {
      const { body } = await tryWith({});
      expect(body.user['permissions']).toEqual([]);
      const roles = await service.query(
        'SELECT role.name FROM user_role JOIN role ON role.id = user_role.role_id WHERE user_id = $1',
        [body.user.id],
      );
      expect(roles).toEqual([{ name: 'guest' }]);
    } finally {
      await service.set(defaultRole, defaultRole.defaultValue);
    }
  });

  it('stores nothing when the default role cannot be assigned', async () => {
    const told = jest.fn();
    service.app.get(UserEventsService, { strict: false }).onUserCreate(told);
    await service.set(defaultRole, 'nobody_made_it');
    const username = freshName();
    try {
      const answer = await register({ username, password: PASSWORD, email: 'lost@example.com' });
      expectProblem(answer, 500, 'default_role_unavailable');
    } finally {
      await service.set(defaultRole, defaultRole.defaultValue);
    }
    expect(await service.query('SELECT 1 FROM user_account WHERE username = $1', [username])).toEqual([]);
    expect(await service.query('SELECT 1 FROM audit_event WHERE target_label = $1', [username])).toEqual([]);
    expect(told).not.toHaveBeenCalled();
    expect((await register({ username, password: PASSWORD, email: 'lost@example.com' })).status).toBe(201);
  });

  it('is limited by address', async () => {
    await service.set(registerPerHourPerAddress, 2);
    try {
      expect([await tryWith({}), await tryWith({})].map(({ status }) => status)).toEqual([201, 201]);
      const rejected = await tryWith({});
      expectProblem(rejected, 429, 'rate_limited');
      expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(3_000);
      client = service.client();
      expect((await tryWith({})).status).toBe(201);
    } finally {
      await service.set(registerPerHourPerAddress, registerPerHourPerAddress.defaultValue);
    }
  });
});
