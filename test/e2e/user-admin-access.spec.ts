import { PasswordHasher } from '../../src/platform/crypto';
import { lockoutThreshold } from '../../src/auth/login/lockout.settings';
import { AdminUser, createUser } from '../support/accounts/admin-users';
import { expectProblem } from '../support/service/expect-problem';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { ADMIN, eventually, PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const UNKNOWN = '01900000-0000-7000-8000-00000000dead';
const NEW_PASSWORD = 'another horse battery staple';

interface Session {
  readonly id: string;
  readonly current: boolean;
}

describe('administration of user access', () => {
  let service: TestService;
  let other: TestService;
  let admin: TestClient;
  let names = 0;

  withService(async (started) => {
    service = started;
    other = await service.another();
    admin = await service.admin();
  });

  const newName = (): string => `access_${names++}`;

  async function newUser(): Promise<{ id: string; username: string; client: TestClient }> {
    const username = newName();
    const client = await service.signUp(username);
    const { body } = await client.get<{ id: string }>('/api/auth/me');
    return { id: body.id, username, client };
  }

  const sessionsOf = async (id: string): Promise<Session[]> =>
    (await admin.get<{ items: Session[] }>(`/api/user/${id}/sessions`)).body.items;

  const codeOf = async (answer: Promise<Answer>): Promise<string> =>
    ((await answer) as unknown as Answer<Problem>).body.code;

  /** The same browser at the other instance, with the session in its cache. */
  async function elsewhere(client: TestClient): Promise<TestClient> {
    const there = other.client();
    for (const [name, value] of client.jar) there.jar.set(name, value);
    expect((await there.get('/api/auth/me')).status).toBe(200);
    return there;
  }

  const endsElsewhere = async (there: TestClient): Promise<void> => {
    await eventually(
      () => there.get('/api/auth/me'),
      ({ status }) => status === 401,
      1.2,
    );
  };

  describe('sessions', () => {
    it('are listed, newest activity first, none of them as current', async () => {
      const { id, username } = await newUser();
      await service.logIn(username);
      const sessions = await sessionsOf(id);
      expect(sessions).toHaveLength(2);
      expect(sessions.map(({ current }) => current)).toEqual([false, false]);
      expect(JSON.stringify(sessions)).not.toMatch(/token|counter/);
    });

    it('show the own current one', async () => {
      const { body } = await admin.get<{ id: string }>('/api/auth/me');
      expect((await sessionsOf(body.id)).filter(({ current }) => current)).toHaveLength(1);
    });

    it('end one by one, immediately here and within a second on other instances', async () => {
      const { id, username, client } = await newUser();
      const second = await service.logIn(username);
      const there = await elsewhere(client);
      const [mine] = (await client.get<{ items: Session[] }>('/api/auth/sessions')).body.items.filter(
        (one) => one.current,
      );
      expect((await admin.delete(`/api/user/${id}/sessions/${mine!.id}`)).status).toBe(204);
      expect(await codeOf(client.get('/api/auth/me'))).toBe('session_revoked');
      expect(await codeOf(client.post('/api/auth/refresh'))).toBe('session_revoked');
      await endsElsewhere(there);
      expect((await second.get('/api/auth/me')).status).toBe(200);
      expect(await sessionsOf(id)).toHaveLength(1);
      expect((await admin.delete(`/api/user/${id}/sessions/${mine!.id}`)).status).toBe(404);
    });

    it('end all at once', async () => {
      const { id, username, client } = await newUser();
      const second = await service.logIn(username);
      const there = await elsewhere(second);
      expect((await admin.delete(`/api/user/${id}/sessions`)).status).toBe(204);
      for (const one of [client, second]) expect((await one.get('/api/auth/me')).status).toBe(401);
      await endsElsewhere(there);
      expect(await sessionsOf(id)).toEqual([]);
      expect((await admin.delete(`/api/user/${id}/sessions`)).status).toBe(204);
      expect((await service.logIn(username)).jar.size).toBeGreaterThan(0);
    });

    it('of another user return 404 under this one and stay', async () => {
      const ann = await newUser();
      const bob = await newUser();
      const [session] = await sessionsOf(bob.id);
      expect((await admin.delete(`/api/user/${ann.id}/sessions/${session!.id}`)).status).toBe(404);
      expect((await bob.client.get('/api/auth/me')).status).toBe(200);
      for (const sid of [UNKNOWN, 'x', UNKNOWN.toUpperCase()]) {
        expect((await admin.delete(`/api/user/${ann.id}/sessions/${sid}`)).status).toBe(404);
      }
    });

    it('are audited with the name of their user', async () => {
      const { id } = await newUser();
      const [session] = await sessionsOf(id);
      await admin.delete(`/api/user/${id}/sessions/${session!.id}`);
      const rows = await service.query('SELECT actor_name, before FROM audit_event WHERE target_id = $1', [
        session!.id,
      ]);
      expect(rows).toEqual([{ actor_name: ADMIN.username, before: { user_id: id } }]);
    });
  });

  describe('disabling', () => {
    it('ends the sessions immediately here, within a second on other instances, and blocks logins', async () => {
      const { id, username, client } = await newUser();
      const there = await elsewhere(client);
      expect((await admin.patch(`/api/user/${id}`, { status: 'disabled' })).body).toMatchObject({ status: 'disabled' });
      expect(await codeOf(client.get('/api/auth/me'))).toBe('session_revoked');
      expect((await client.post('/api/auth/refresh')).status).toBe(401);
      await endsElsewhere(there);
      const login = (password: string): Promise<string> =>
        codeOf(service.client().post('/api/auth/login', { type: 'password', username, password }));
      expect(await login(PASSWORD)).toBe('user_disabled');
      expect(await login('wrong password')).toBe('invalid_credentials');
      expect(await sessionsOf(id)).toEqual([]);
    });

    it('can be reverted without restoring the sessions', async () => {
      const { id, username, client } = await newUser();
      await admin.patch(`/api/user/${id}`, { status: 'disabled' });
      await admin.patch(`/api/user/${id}`, { status: 'active' });
      expect((await client.get('/api/auth/me')).status).toBe(401);
      await service.logIn(username);
    });

    it('leaves no session of a concurrent login', async () => {
      const { id, username } = await newUser();
      await Promise.all([
        admin.patch(`/api/user/${id}`, { status: 'disabled' }),
        ...Array.from({ length: 5 }, () =>
          service.client().post('/api/auth/login', { type: 'password', username, password: PASSWORD }),
        ),
      ]);
      expect(await sessionsOf(id)).toEqual([]);
    });
  });

  describe('password', () => {
    const setPassword = (id: string, body: object): Promise<Answer<Problem>> =>
      admin.put<Problem>(`/api/user/${id}/password`, body);

    it('is set, ends all sessions, and must be changed by its owner', async () => {
      const { id, username, client } = await newUser();
      const there = await elsewhere(client);
      expect((await setPassword(id, { new_password: NEW_PASSWORD })).status).toBe(204);
      expect(await codeOf(client.get('/api/auth/me'))).toBe('session_revoked');
      await endsElsewhere(there);
      const old = { type: 'password', username, password: PASSWORD };
      expect(await codeOf(service.client().post('/api/auth/login', old))).toBe('invalid_credentials');
      const again = await service.logIn(username, NEW_PASSWORD);
      expect(await codeOf(again.get('/api/auth/sessions'))).toBe('password_change_required');
      expect((await again.get('/api/auth/me')).status).toBe(200);
      expect((await again.post('/api/auth/refresh')).status).toBe(200);
    });

    it('may stay when the administrator says so', async () => {
      const { id, username } = await newUser();
      await setPassword(id, { new_password: NEW_PASSWORD, must_change_password: false });
      const client = await service.logIn(username, NEW_PASSWORD);
      expect((await client.get('/api/auth/sessions')).status).toBe(200);
    });

    it('can be set for a user without one', async () => {
      const { id, username } = await createUser(admin, newName());
      await setPassword(id, { new_password: NEW_PASSWORD });
      await service.logIn(username, NEW_PASSWORD);
      expect((await admin.get<AdminUser>(`/api/user/${id}`)).body).toMatchObject({ has_password: true });
    });

    it.each([
      [{}, 'validation_failed'],
      [{ new_password: null }, 'validation_failed'],
      [{ new_password: 'seven77' }, 'validation_failed'],
      [{ new_password: 'x'.repeat(257) }, 'validation_failed'],
      [{ new_password: NEW_PASSWORD, must_change_password: 'no' }, 'validation_failed'],
      [{ new_password: NEW_PASSWORD, current_password: PASSWORD }, 'validation_failed'],
      [{ new_password: 'password123' }, 'password_too_common'],
    ])('%j is rejected (%s), for an unknown user too, and ends nothing', async (body, code) => {
      const { id, client } = await newUser();
      expect((await setPassword(id, body)).body).toMatchObject({ status: 400, code });
      expect((await setPassword(UNKNOWN, body)).body).toMatchObject({ status: 400, code });
      expect((await client.get('/api/auth/me')).status).toBe(200);
    });

    it('cannot be the username', async () => {
      const { id, username } = await newUser();
      expectProblem(await setPassword(id, { new_password: username.toUpperCase() }), 400, 'password_too_common');
      expectProblem(await setPassword(UNKNOWN, { new_password: NEW_PASSWORD }), 404, 'not_found');
    });

    it('is audited without its value', async () => {
      const { id } = await newUser();
      await setPassword(id, { new_password: NEW_PASSWORD });
      const rows = await service.query(`SELECT * FROM audit_event WHERE target_id = $1 AND action = 'password.set'`, [
        id,
      ]);
      expect(rows).toMatchObject([
        { before: { must_change_password: false }, after: { has_password: true, must_change_password: true } },
      ]);
      expect(JSON.stringify(rows)).not.toMatch(/argon2|battery/);
      expect(service.logLines.join('')).not.toContain(NEW_PASSWORD);
    });

    it('is audited with the previous state', async () => {
      const { id } = await newUser();
      const hasher = service.app.get(PasswordHasher, { strict: false });
      jest.spyOn(hasher, 'hash').mockImplementationOnce(async () => {
        await service.query('UPDATE user_account SET password_hash = NULL, must_change_password = true WHERE id = $1', [
          id,
        ]);
        return 'hash';
      });
      await setPassword(id, { new_password: NEW_PASSWORD });
      const [event] = await service.query(
        `SELECT before FROM audit_event WHERE target_id = $1 AND action = 'password.set'`,
        [id],
      );
      expect(event).toEqual({ before: { has_password: false, must_change_password: true } });
    });
  });

  describe('lock after failed logins', () => {
    beforeAll(() => service.set(lockoutThreshold, 3));

    const attempt = (username: string, client: TestClient, password = 'a wrong password'): Promise<Answer> =>
      client.post('/api/auth/login', { type: 'password', username, password });

    async function lockOut(username: string, client: TestClient): Promise<void> {
      for (let tries = 0; tries < 3; tries++) await attempt(username, client);
      expect(await codeOf(attempt(username, client, PASSWORD))).toBe('account_locked');
    }

    const lockedUntil = async (id: string): Promise<string | null> =>
      (await admin.get<AdminUser>(`/api/user/${id}`)).body.locked_until;

    it('is shown, and removed for unknown browsers and the known device', async () => {
      const { id, username, client } = await newUser();
      expect(await lockedUntil(id)).toBeNull();
      await lockOut(username, service.client());
      await lockOut(username, client);
      const until = Date.parse((await lockedUntil(id)) ?? '');
      expect(until).toBeGreaterThan(Date.now() + 800_000);
      expect(until).toBeLessThan(Date.now() + 1_000_000);
      const listed = await admin.get<{ items: AdminUser[] }>(`/api/user?keyword=${username}`);
      expect(listed.body.items[0]!.locked_until).not.toBeNull();

      expect((await admin.delete(`/api/user/${id}/lock`)).status).toBe(204);
      expect(await lockedUntil(id)).toBeNull();
      for (const browser of [service.client(), client]) {
        expect((await attempt(username, browser, PASSWORD)).status).toBe(200);
      }
    });

    it('is a filter of the list, alone and with a keyword', async () => {
      const [locked, free] = [await newUser(), await newUser()];
      await lockOut(locked.username, service.client());
      const found = async (query: string): Promise<string[]> => {
        const { status, body } = await admin.get<{ items: AdminUser[] }>(`/api/user?page_size=100&${query}`);
        expect(status).toBe(200);
        return body.items.map(({ username }) => username);
      };
      expect(await found('locked=true')).toContain(locked.username);
      expect(await found('locked=true')).not.toContain(free.username);
      expect(await found(`locked=true&keyword=${locked.username}`)).toEqual([locked.username]);
      expect(await found(`locked=true&keyword=${free.username}`)).toEqual([]);
      expect(await found(`locked=false&keyword=${locked.username}`)).toEqual([]);
      expect(await found(`locked=false&keyword=${free.username}`)).toEqual([free.username]);

      expect((await admin.delete(`/api/user/${locked.id}/lock`)).status).toBe(204);
      expect(await found('locked=true')).not.toContain(locked.username);
    });

    it('is removed with all failures, so that the owner has every attempt again on the known device too', async () => {
      const { id, username, client } = await newUser();
      for (const browser of [client, service.client()]) {
        for (let tries = 0; tries < 2; tries++) await attempt(username, browser);
      }
      expect((await admin.delete(`/api/user/${id}/lock`)).status).toBe(204);
      for (const browser of [client, service.client()]) {
        await attempt(username, browser);
        expect((await attempt(username, browser, PASSWORD)).status).toBe(200);
      }
    });

    it('can be removed when there is none, which is audited', async () => {
      const { id } = await newUser();
      expect((await admin.delete(`/api/user/${id}/lock`)).status).toBe(204);
      const rows = await service.query('SELECT action FROM audit_event WHERE target_id = $1 AND actor_name = $2', [
        id,
        ADMIN.username,
      ]);
      expect(rows).toEqual([{ action: 'user.unlock' }]);
    });
  });

  it('returns 404 for an unknown user', async () => {
    for (const id of [UNKNOWN, 'me', '1e9']) {
      const answers = await Promise.all([
        admin.get(`/api/user/${id}/sessions`),
        admin.delete(`/api/user/${id}/sessions`),
        admin.delete(`/api/user/${id}/sessions/${UNKNOWN}`),
        admin.put(`/api/user/${id}/password`, { new_password: NEW_PASSWORD }),
        admin.delete(`/api/user/${id}/lock`),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    }
  });
});
