import { Injectable } from '@nestjs/common';
import { defineErrors } from '../../src/platform/errors';
import { TextField } from '../../src/platform/http/input';
import { LoginMethod, LoginProof, LoginSubject } from '../../src/auth/login';
import { SettingsService } from '../../src/settings';
import { userView, UserRepository } from '../../src/users';
import { maxDailyCodes } from '../../src/verification';
import { expectProblem } from '../support/service/expect-problem';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { ADMIN, eventually, PASSWORD, TestService } from '../support/service/test-service';

interface Method {
  type: string;
  enabled: boolean;
  configured: boolean;
}

const { invalidCredentials } = defineErrors({ invalidCredentials: 401 });

class WordDto {
  @TextField({ description: 'Always `word`', max: 10 }) type: string;
  @TextField({ description: 'Whose', max: 50 }) username: string;
}

/** Login method of a host that accepts any username without a secret. */
@Injectable()
class WordMethod extends LoginMethod<WordDto> {
  static configured = true;
  readonly type = 'word';
  readonly credentials = WordDto;
  readonly createError = invalidCredentials;

  constructor(private readonly users: UserRepository) {
    super();
  }

  async isConfigured(): Promise<boolean> {
    return WordMethod.configured;
  }

  async findSubject({ username }: WordDto): Promise<LoginSubject> {
    const user = await this.users.findByUsername(username);
    return { user: user ? userView(user) : undefined, key: username };
  }

  async verify(_: WordDto, user: LoginSubject['user']): Promise<LoginProof | undefined> {
    return user && {};
  }
}

describe('login methods', () => {
  let service: TestService;
  let admin: TestClient;

  beforeAll(async () => {
    service = await TestService.start({ identity: { extensions: { loginMethods: [WordMethod] } } });
    // Disables login by code, so that only the two methods of this test work.
    await service.set(maxDailyCodes, 0);
    admin = await service.admin();
    await service.register('ann');
  });

  afterAll(() => service.stop());

  afterEach(async () => {
    WordMethod.configured = true;
    await switchTo('password', true);
    await switchTo('word', true);
  });

  const switchTo = <T = Method>(type: string, enabled: unknown, client = admin): Promise<Answer<T>> =>
    client.patch<T>(`/api/login-method/${type}`, { enabled });
  const list = async (): Promise<Method[]> => (await admin.get<{ items: Method[] }>('/api/login-method')).body.items;
  const logIn = (username: string, password: string, at = service): Promise<Answer<Problem>> =>
    at.client().post<Problem>('/api/auth/login', { type: 'password', username, password });

  it('are listed by type with `enabled` and `configured`', async () => {
    expect(await list()).toEqual([
      { type: 'email', enabled: true, configured: false },
      { type: 'passkey', enabled: true, configured: false },
      { type: 'password', enabled: true, configured: true },
      { type: 'sms', enabled: true, configured: false },
      { type: 'word', enabled: true, configured: true },
    ]);
    WordMethod.configured = false;
    await switchTo('password', true);
    expect(await list()).toContainEqual({ type: 'word', enabled: true, configured: false });
  });

  it('are disabled and enabled, which /api/info and the audit show', async () => {
    const offered = async (): Promise<unknown> =>
      (await service.client().get<{ login_methods: unknown }>('/api/info')).body.login_methods;
    expect((await switchTo('password', false)).body).toEqual({ type: 'password', enabled: false, configured: true });
    expect(await list()).toContainEqual({ type: 'password', enabled: false, configured: true });
    expect(await offered()).toContainEqual({ type: 'password', enabled: false });

    expect((await switchTo('password', true)).body).toMatchObject({ enabled: true });
    expect(await offered()).toContainEqual({ type: 'password', enabled: true });
    const events = await service.query(
      `SELECT actor_name, target_id, before, after FROM audit_event
       WHERE action = 'login_method.update' ORDER BY at, id`,
    );
    expect(events.slice(-2)).toEqual([
      { actor_name: ADMIN.username, target_id: 'password', before: { enabled: true }, after: { enabled: false } },
      { actor_name: ADMIN.username, target_id: 'password', before: { enabled: false }, after: { enabled: true } },
    ]);
  });

  it('return the same error to every caller while disabled', async () => {
    await switchTo('password', false);
    const answers = await Promise.all([
      logIn('ann', PASSWORD),
      logIn('ann', 'wrong password'),
      logIn('nobody_here', PASSWORD),
      logIn(ADMIN.username, ADMIN.password),
    ]);
    for (const answer of answers) {
      expectProblem(answer, 403, 'login_method_disabled');
      expect({ ...answer.body, request_id: '' }).toEqual({ ...answers[0].body, request_id: '' });
    }
    await switchTo('password', true);
    expect((await logIn('ann', PASSWORD)).status).toBe(200);
  });

  it.each([
    [{ type: 'password' }, 403, 'login_method_disabled'],
    [{ type: 'password', username: 1, colour: 'blue' }, 403, 'login_method_disabled'],
    [{ type: 'unheard_of' }, 400, 'validation_failed'],
    [{}, 400, 'validation_failed'],
  ])('are checked before the other fields: %j while disabled returns %i', async (body, status, code) => {
    await switchTo('password', false);
    expectProblem(await service.client().post('/api/auth/login', body), status, code);
  });

  it('are disabled and enabled on every instance within a second', async () => {
    const other = await service.another();
    expect((await logIn('ann', PASSWORD, other)).status).toBe(200);
    await switchTo('password', false);
    await eventually(
      () => logIn('ann', PASSWORD, other),
      ({ status }) => status === 403,
      1.2,
    );
    await switchTo('password', true);
    await eventually(
      () => logIn('ann', PASSWORD, other),
      ({ status }) => status === 200,
      1.2,
    );
  });

  it('keep the last working one enabled', async () => {
    await switchTo('word', false);
    const answer = await switchTo<Problem>('password', false);
    expectProblem(answer, 409, 'last_login_method');
    expect((await logIn('ann', PASSWORD)).status).toBe(200);
  });

  it('keep the last working one when a setting would disable it', async () => {
    await service.set(maxDailyCodes, maxDailyCodes.defaultValue);
    await switchTo('word', false);
    expect((await switchTo('password', false)).status).toBe(200);
    const close = (path: string, body: object): Promise<Answer<Problem>> =>
      path === 'put' ? admin.put('/api/setting', body) : admin.post('/api/setting/code.max_daily_count/rollback', body);
    const updates = [
      { key: 'app.name', value: 'Closed' },
      { key: maxDailyCodes.key, value: 0 },
    ];
    const put = await close('put', { updates });
    expectProblem(put, 400, 'settings_update_failed');
    expect(put.body.errors).toMatchObject([{ field: 'updates[1].value', code: 'last_login_method' }]);
    const [off] = await service.query<{ version: number }>(
      `SELECT version FROM setting_history WHERE key = $1 AND to_value = '0' ORDER BY version LIMIT 1`,
      [maxDailyCodes.key],
    );
    const rollback = await close('rollback', off!);
    expect(rollback.body.errors).toMatchObject([{ field: 'version', code: 'last_login_method' }]);
    // The cache must not contain the rejected value, because it is used during a database outage.
    expect(service.app.get(SettingsService).getCached(maxDailyCodes)).toBe(maxDailyCodes.defaultValue);

    await switchTo('password', true);
    expect((await close('put', { updates })).status).toBe(200);
    await admin.put('/api/setting', { updates: [{ key: 'app.name', value: null }] });
  });

  it('count only configured ones as working', async () => {
    WordMethod.configured = false;
    expectProblem(await switchTo<Problem>('password', false), 409, 'last_login_method');
    expect((await switchTo('word', false)).status).toBe(200);
  });

  it('keep one when all are disabled concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(['password', 'word'].map((type) => switchTo(type, false)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect((await list()).filter(({ enabled, configured }) => enabled && configured)).toHaveLength(1);
      await switchTo('password', true);
      await switchTo('word', true);
    }
  });

  describe('with login by code', () => {
    const sendCodes = (value: number | null): Promise<Answer<Problem>> =>
      admin.put('/api/setting', { updates: [{ key: maxDailyCodes.key, value }] });
    const works = async (): Promise<boolean> => (await list()).some(({ enabled, configured }) => enabled && configured);

    beforeEach(async () => {
      await service.set(maxDailyCodes, maxDailyCodes.defaultValue);
      await switchTo('word', false);
    });

    afterEach(async () => {
      await service.set(maxDailyCodes, 0);
    });

    it.each([
      ['put', (): Promise<Answer<Problem>> => sendCodes(0)],
      [
        'rollback',
        async (): Promise<Answer<Problem>> => {
          const [off] = await service.query<{ version: number }>(
            `SELECT version FROM setting_history WHERE key = $1 AND to_value = '0' ORDER BY version LIMIT 1`,
            [maxDailyCodes.key],
          );
          return admin.post('/api/setting/code.max_daily_count/rollback', off!);
        },
      ],
    ])('keep one when a method and the codes are disabled concurrently by %s', async (_, close) => {
      for (let round = 0; round < 10; round++) {
        const switched = (): Promise<Answer<Problem>> => switchTo<Problem>('password', false);
        const [first, second] = round % 2 === 0 ? [switched, close] : [close, switched];
        const answers = await Promise.all([first(), second()]);
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
        expect(await works()).toBe(true);
        await switchTo('password', true);
        await service.set(maxDailyCodes, maxDailyCodes.defaultValue);
      }
    });

    it('keep the last one on an instance whose cache still has codes enabled', async () => {
      const other = await service.another();
      const there = await other.admin();
      expect((await there.get('/api/login-method')).status).toBe(200);
      expect((await sendCodes(0)).status).toBe(200);
      expectProblem(await switchTo<Problem>('password', false, there), 409, 'last_login_method');
    });

    it('can be set up step by step while none works', async () => {
      await switchTo('password', false);
      await service.set(maxDailyCodes, 0);
      expect(await works()).toBe(false);
      const port = (value: number | null): Promise<Answer<Problem>> =>
        admin.put('/api/setting', { updates: [{ key: 'email.smtp.port', value }] });
      expect((await port(2525)).status).toBe(200);
      expect((await sendCodes(maxDailyCodes.defaultValue)).status).toBe(200);
      expect(await works()).toBe(true);
      expect((await port(null)).status).toBe(200);
    });
  });

  it('return 404 for an unknown type', async () => {
    expectProblem(await switchTo<Problem>('smoke', false), 404, 'not_found');
    expect((await switchTo<Problem>('__proto__', false)).status).toBe(404);
  });

  it.each([
    [undefined, 'required'],
    ['false', 'type_boolean'],
    [null, 'type_boolean'],
    [0, 'type_boolean'],
  ])('reject the value %j for `enabled`', async (enabled, code) => {
    const answer = await switchTo<Problem>('password', enabled);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ field: 'enabled', code }]);
  });

  it('reject a caller without the permission', async () => {
    const bob = await service.signUp('bob');
    expect((await bob.get('/api/login-method')).status).toBe(403);
    expectProblem(await switchTo<Problem>('password', false, bob), 403, 'permission_denied');
    expect((await service.client().get('/api/login-method')).status).toBe(401);
  });
});
