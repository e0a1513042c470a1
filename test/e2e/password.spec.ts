import { hash } from '@node-rs/argon2';
import { lockoutThreshold } from '../../src/auth/login/lockout.settings';
import { logInLongAgo, storedUser } from '../support/accounts/accounts';
import { expectProblem } from '../support/service/expect-problem';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { eventually, PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const ME = '/api/auth/me';
const NEW = 'a quite different sentence';

describe('own password', () => {
  let service: TestService;
  let username: string;
  let ann: TestClient;
  let names = 0;

  const change = (body: unknown, client = ann): Promise<Answer<Problem>> => client.put(`${ME}/password`, body);
  const logsIn = async (password: string): Promise<boolean> => {
    const answer = await service.client().post('/api/auth/login', { type: 'password', username, password });
    return answer.status === 200;
  };
  const liveSessions = (): Promise<{ id: string }[]> =>
    service.query(
      `SELECT session.id FROM session JOIN user_account ON user_account.id = user_id
       WHERE username = $1 AND revoked_at IS NULL`,
      [username],
    );

  withService((started) => {
    service = started;
  });

  beforeEach(async () => {
    username = `secret_${++names}`;
    ann = await service.signUp(username);
  });

  it.each([257, 16_385, 60_000])('is invalid at a login with %i characters', async (length) => {
    const name = `long_${length}`;
    await service.register(name);
    const body = { type: 'password', username: name, password: 'p'.repeat(length) };
    const answer = await service.client().post<Problem>('/api/auth/login', body);
    expectProblem(answer, 401, 'invalid_credentials');
  });

  it('is changed by a user who knows it, and the old one is invalid afterwards', async () => {
    expect((await change({ current_password: PASSWORD, new_password: NEW })).status).toBe(204);
    expect([await logsIn(PASSWORD), await logsIn(NEW)]).toEqual([false, true]);
  });

  it('ends the other sessions and keeps the current one when it changes', async () => {
    const others = [await service.logIn(username), await service.logIn(username)];
    for (const other of others) expect((await other.get(ME)).status).toBe(200);
    await change({ current_password: PASSWORD, new_password: NEW });

    expect((await ann.get(ME)).status).toBe(200);
    expect((await ann.post('/api/auth/refresh')).status).toBe(200);
    for (const other of others) {
      expectProblem(await other.get<Problem>(ME), 401, 'session_revoked');
      expectProblem(await other.post<Problem>('/api/auth/refresh'), 401, 'session_revoked');
    }
  });

  it('stays unchanged for a user who does not know it', async () => {
    const other = await service.logIn(username);
    const before = await storedUser(service, username);
    const answer = await change({ current_password: 'a guess', new_password: NEW });
    expectProblem(answer, 400, 'password_incorrect');
    expect(await storedUser(service, username)).toEqual(before);
    expect((await other.get(ME)).status).toBe(200);
  });

  it('counts wrong attempts like failed logins until right ones are rejected too', async () => {
    await service.set(lockoutThreshold, 3);
    try {
      for (const attempt of ['one', 'two', 'three']) {
        expectProblem(await change({ current_password: attempt, new_password: NEW }), 400, 'password_incorrect');
      }
      const locked = await change({ current_password: PASSWORD, new_password: NEW });
      expectProblem(locked, 429, 'account_locked');
      expect(Number(locked.headers['retry-after'])).toBeGreaterThan(0);
      const login = await ann.post<Problem>('/api/auth/login', { type: 'password', username, password: PASSWORD });
      expectProblem(login, 429, 'account_locked');
    } finally {
      await service.set(lockoutThreshold, lockoutThreshold.defaultValue);
    }
  });

  it.each([
    ['short', 'qzjxkvw', 'validation_failed'],
    ['long', 'q'.repeat(257), 'validation_failed'],
    ['common', '12345678', 'password_too_common'],
  ])('rejects a new one that is %s', async (_, newPassword, code) => {
    const answer = await change({ current_password: PASSWORD, new_password: newPassword });
    expectProblem(answer, 400, code);
    expect(await logsIn(PASSWORD)).toBe(true);
  });

  it('rejects the username in any case', async () => {
    const answer = await change({ current_password: PASSWORD, new_password: username.toUpperCase() });
    expectProblem(answer, 400, 'password_too_common');
  });

  it('rejects the present one in any Unicode composition and keeps it', async () => {
    const [composed, decomposed] = ['caf\u00e9 au lait et miel', 'cafe\u0301 au lait et miel'];
    await change({ current_password: PASSWORD, new_password: composed });
    const before = await storedUser(service, username);
    for (const same of [composed, decomposed]) {
      const answer = await change({ current_password: composed, new_password: same });
      expect([answer.status, answer.body.errors]).toMatchObject([
        400,
        [{ field: 'new_password', code: 'password_unchanged' }],
      ]);
    }
    expect(await storedUser(service, username)).toEqual(before);
    expect((await change({ current_password: composed, new_password: composed.toUpperCase() })).status).toBe(204);
  });

  it.each([
    [{ new_password: NEW }, 'current_password'],
    [{ current_password: PASSWORD }, 'new_password'],
    [{ current_password: null, new_password: NEW }, 'current_password'],
    [{ current_password: PASSWORD, new_password: null }, 'new_password'],
    [{ current_password: PASSWORD, new_password: NEW, username: 'admin' }, 'username'],
  ])('rejects the body %j', async (body, field) => {
    const answer = await change(body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors?.map((error) => error.field)).toEqual([field]);
    expect(await logsIn(PASSWORD)).toBe(true);
  });

  describe('of a user without one', () => {
    beforeEach(() => service.query('UPDATE user_account SET password_hash = NULL WHERE username = $1', [username]));

    it('is set after a recent login', async () => {
      expect((await change({ new_password: NEW })).status).toBe(204);
      expect(await logsIn(NEW)).toBe(true);
    });

    it('has no present value to compare with', async () => {
      expect((await change({ current_password: NEW, new_password: NEW })).status).toBe(204);
    });

    it('is not set without a recent login', async () => {
      await service.query(
        `UPDATE session SET authenticated_at = now() - interval '1 hour'
         WHERE user_id = (SELECT id FROM user_account WHERE username = $1)`,
        [username],
      );
      const answer = await change({ new_password: NEW });
      expectProblem(answer, 401, 'reauthentication_required');
      expect(await storedUser(service, username)).toMatchObject({ password_hash: null });
    });

    it('does not allow a login', async () => {
      expect([await logsIn(PASSWORD), await logsIn(''), await logsIn('null')]).toEqual([false, false, false]);
    });
  });

  describe('that must be changed', () => {
    beforeEach(() =>
      service.query('UPDATE user_account SET must_change_password = true WHERE username = $1', [username]),
    );

    it('allows only the routes that are needed for the change', async () => {
      const client = await service.logIn(username);
      const code = async (answer: Promise<Answer<Problem>>): Promise<string> => (await answer).body.code;
      expect((await client.get(ME)).status).toBe(200);
      expect((await client.post('/api/auth/refresh')).status).toBe(200);
      expect(await code(client.patch(ME, { nickname: 'x' }))).toBe('password_change_required');
      expect(await code(client.delete(ME))).toBe('password_change_required');
      expect(await code(client.get('/api/auth/sessions'))).toBe('password_change_required');
      expect(await code(client.delete('/api/auth/sessions'))).toBe('password_change_required');
      expect(await code(client.post('/api/auth/users', { keyword: 'an' }))).toBe('password_change_required');
      expect(await code(client.post('/api/auth/reauthenticate', { password: PASSWORD }))).toBe(
        'password_change_required',
      );

      expect((await change({ current_password: PASSWORD, new_password: NEW }, client)).status).toBe(204);
      expect((await client.patch(ME, { nickname: 'x' })).status).toBe(200);
    });

    it('cannot be changed to itself', async () => {
      const client = await service.logIn(username);
      const answer = await change({ current_password: PASSWORD, new_password: PASSWORD }, client);
      expect(answer.body.errors).toMatchObject([{ field: 'new_password', code: 'password_unchanged' }]);
      expect(await storedUser(service, username)).toMatchObject({ must_change_password: true });
    });

    it('no longer restricts the user after the change', async () => {
      const client = await service.logIn(username);
      expect((await client.post('/api/auth/logout')).status).toBe(204);
    });

    it('restricts a current session within a second', async () => {
      const answer = await eventually(
        () => ann.get<Problem>('/api/auth/sessions'),
        ({ status }) => status === 403,
        2,
      );
      expectProblem(answer, 403, 'password_change_required');
    });
  });

  it('needs no recent login, only the present password', async () => {
    const old = await logInLongAgo(service, username);
    expect((await change({ current_password: PASSWORD, new_password: NEW }, old)).status).toBe(204);
  });

  describe('with an outdated hash', () => {
    const weak = (password: string): Promise<string> => hash(password, { memoryCost: 32, timeCost: 1, parallelism: 1 });
    const give = async (password: string): Promise<string> => {
      const phc = await weak(password);
      await service.query('UPDATE user_account SET password_hash = $2 WHERE username = $1', [username, phc]);
      return phc;
    };
    const stored = async (): Promise<string> => String((await storedUser(service, username))?.['password_hash']);

    it('is rehashed at a login and stays the same password', async () => {
      const before = await give(PASSWORD);
      const version = (await storedUser(service, username))?.['password_version'];
      expect(await logsIn(PASSWORD)).toBe(true);
      const after = await stored();
      expect(after).not.toBe(before);
      expect(after).toContain('m=64,t=1,p=1');
      expect((await storedUser(service, username))?.['password_version']).toBe(version);
      expect(await logsIn(PASSWORD)).toBe(true);
      expect(await stored()).toBe(after);
      expect((await ann.get(ME)).status).toBe(200);
    });

    it('keeps its hash when the login fails', async () => {
      const before = await give(PASSWORD);
      expect(await logsIn('a guess')).toBe(false);
      expect(await stored()).toBe(before);
    });

    it('accepts all concurrent logins', async () => {
      for (let round = 0; round < 5; round++) {
        await give(PASSWORD);
        const results = await Promise.all([1, 2, 3, 4].map(() => logsIn(PASSWORD)));
        expect(results).toEqual([true, true, true, true]);
      }
    });

    it('can be changed while a login rehashes it', async () => {
      await give(PASSWORD);
      const [changed] = await Promise.all([
        change({ current_password: PASSWORD, new_password: NEW }),
        logsIn(PASSWORD),
        logsIn(PASSWORD),
      ]);
      expect(changed.status).toBe(204);
      expect(await logsIn(NEW)).toBe(true);
      expect(await logsIn(PASSWORD)).toBe(false);
    });
  });

  it('leaves no session of a concurrent login with the old one', async () => {
    for (let round = 0; round < 15; round++) {
      const [from, to] = round % 2 === 0 ? [PASSWORD, NEW] : [NEW, PASSWORD];
      const guests = Array.from({ length: 4 }, () => service.client());
      const login = (client: TestClient): Promise<Answer> =>
        client.post('/api/auth/login', { type: 'password', username, password: from });
      const [changed, ...logins] = await Promise.all([
        change({ current_password: from, new_password: to }),
        ...guests.map(login),
      ]);
      expect(changed.status).toBe(204);
      expect(logins.filter(({ status }) => status !== 200 && status !== 401)).toEqual([]);
      expect(await liveSessions()).toHaveLength(1);
      expect((await ann.get(ME)).status).toBe(200);
      for (const guest of guests) expect((await guest.get(ME)).status).toBe(401);
    }
  });

  it('has one winner for two concurrent changes', async () => {
    const answers = await Promise.all(
      ['first new sentence', 'second new sentence'].map((next) =>
        change({ current_password: PASSWORD, new_password: next }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
    expect([await logsIn('first new sentence'), await logsIn('second new sentence')].sort()).toEqual([false, true]);
  });
});
