import { ADMIN, PASSWORD, TestService } from '../support/service/test-service';
import { Account, logInLongAgo } from '../support/accounts/accounts';
import { expectProblem } from '../support/service/expect-problem';
import { raceRounds } from '../support/service/race-rounds';
import { Problem, TestClient } from '../support/service/test-client';
import { withService } from '../support/service/with-service';

const ME = '/api/auth/me';
const ROUNDS = raceRounds(50);

describe('DELETE /api/auth/me', () => {
  let service: TestService;

  withService((started) => {
    service = started;
  });

  const makeAdministrator = (username: string): Promise<unknown> =>
    service.query(
      `INSERT INTO user_role (user_id, role_id)
       SELECT user_account.id, role.id FROM user_account, role WHERE username = $1 AND role.name = 'admin'`,
      [username],
    );
  const ableAdministrators = async (): Promise<number> => {
    const [row] = await service.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM user_role JOIN role ON role.id = role_id
       JOIN user_account ON user_account.id = user_id
       WHERE role.name = 'admin' AND status = 'active' AND password_hash IS NOT NULL`,
    );
    return row?.count ?? -1;
  };

  it('deletes all data of the user except the audit', async () => {
    const ann = await service.signUp('leaver', { email: 'leaver@example.com', phone: '+8613800138000' });
    const { body } = await ann.get<Account>(ME);
    await service.query(`INSERT INTO user_grant VALUES ($1, 'iam', 'profile:read', 1)`, [body.id]);

    const answer = await ann.delete(ME);
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect([...ann.jar.keys()].filter((name) => name !== 'iam_device')).toEqual([]);
    for (const table of ['user_role', 'user_grant', 'session']) {
      expect(await service.query(`SELECT 1 FROM ${table} WHERE user_id = $1`, [body.id])).toEqual([]);
    }
    expect(await service.query('SELECT 1 FROM user_account WHERE id = $1', [body.id])).toEqual([]);

    const [event, ...more] = await service.query(
      `SELECT actor_id, target_id, target_label, outcome FROM audit_event
       WHERE action = 'user.delete' AND target_id = $1`,
      [body.id],
    );
    expect(more).toEqual([]);
    expect(event).toEqual({ actor_id: body.id, target_id: body.id, target_label: 'leaver', outcome: 'success' });
  });

  it('frees the username and the contacts', async () => {
    const contacts = { email: 'again@example.com', phone: '+8613800138001' };
    const first = await service.signUp('again', contacts);
    const { id } = (await first.get<Account>(ME)).body;
    await first.delete(ME);

    const second = await service.signUp('Again', contacts);
    const account = (await second.get<Account>(ME)).body;
    expect(account).toMatchObject({ username: 'Again', ...contacts });
    expect(account.id).not.toBe(id);
  });

  it('ends every session immediately', async () => {
    const ann = await service.signUp('everywhere');
    const other = await service.logIn('everywhere');
    const another = await (await service.another()).logIn('everywhere');
    const replayed = ann.cookie;
    for (const client of [other, another]) expect((await client.get(ME)).status).toBe(200);
    await ann.delete(ME);

    for (const client of [other]) {
      expectProblem(await client.get<Problem>(ME), 401, 'session_revoked');
      expectProblem(await client.post<Problem>('/api/auth/refresh'), 401, 'session_revoked');
    }
    expectProblem(await another.post<Problem>('/api/auth/refresh'), 401, 'session_revoked');
    expectProblem(await ann.get<Problem>(ME, { cookie: replayed }), 401, 'session_revoked');
    await expect(service.logIn('everywhere')).rejects.toThrow('invalid_credentials');
  });

  it('requires a recent login', async () => {
    await service.register('patient');
    const old = await logInLongAgo(service, 'patient');
    const answer = await old.delete<Problem>(ME);
    expectProblem(answer, 401, 'reauthentication_required');
    expect((await old.get(ME)).status).toBe(200);

    expect((await old.post('/api/auth/reauthenticate', { password: PASSWORD })).status).toBe(204);
    expect((await old.delete(ME)).status).toBe(204);
  });

  it('requires a login', async () => {
    expect((await service.client().delete(ME)).status).toBe(401);
  });

  it('deletes the account once for concurrent requests', async () => {
    const ann = await service.signUp('twice');
    const clients = [ann, await service.logIn('twice'), await service.logIn('twice')];
    const statuses = (await Promise.all(clients.map((client) => client.delete(ME)))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([204, 401, 401]);
    const events = await service.query(
      `SELECT 1 FROM audit_event WHERE action = 'user.delete' AND target_label = 'twice'`,
    );
    expect(events).toHaveLength(1);
  });

  it('leaves no session of a concurrent login', async () => {
    for (let round = 0; round < 10; round++) {
      // Uses a new name in each round, because failed logins for a deleted name would lock that name.
      const username = `meanwhile_${round}`;
      const ann = await service.signUp(username);
      const guests = [1, 2, 3].map(() => service.client());
      const [deleted, ...logins] = await Promise.all([
        ann.delete(ME),
        ...guests.map((guest) => guest.post('/api/auth/login', { type: 'password', username, password: PASSWORD })),
      ]);
      expect(deleted.status).toBe(204);
      expect(logins.filter(({ status }) => status !== 200 && status !== 401)).toEqual([]);
      for (const guest of guests) expect((await guest.get(ME)).status).toBe(401);
    }
  });

  describe('for an administrator', () => {
    it('rejects the last administrator', async () => {
      const admin = await service.admin();
      const answer = await admin.delete<Problem>(ME);
      expectProblem(answer, 409, 'last_admin');
      expect((await admin.get(ME)).status).toBe(200);
    });

    it.each([
      ['is disabled', `status = 'disabled'`],
      ['has no way to log in', 'password_hash = NULL'],
    ])('rejects the deletion while the only other administrator %s', async (_, state) => {
      await service.register('helpless');
      await makeAdministrator('helpless');
      await service.query(`UPDATE user_account SET ${state} WHERE username = 'helpless'`);
      const admin = await service.admin();
      expectProblem(await admin.delete<Problem>(ME), 409, 'last_admin');
      await service.query(`DELETE FROM user_account WHERE username = 'helpless'`);
    });

    it('keeps one of two administrators who delete their accounts concurrently', async () => {
      const other = await service.another();
      await service.register('admin_first');
      await makeAdministrator('admin_first');
      let last: TestClient = await service.logIn('admin_first');
      // The administrator of the start is for other tests.
      await service.query(`UPDATE user_account SET status = 'disabled' WHERE username = $1`, [ADMIN.username]);
      for (let round = 0; round < ROUNDS; round++) {
        const username = `admin_${round}`;
        await service.register(username);
        await makeAdministrator(username);
        const next = await (round % 2 ? service : other).logIn(username);
        const [first, second] = await Promise.all([last.delete(ME), next.delete(ME)]);
        expect([first.status, second.status].sort()).toEqual([204, 409]);
        expect(await ableAdministrators()).toBe(1);
        if (first.status === 204) last = next;
      }
      expect((await last.get(ME)).status).toBe(200);
      await service.query(`UPDATE user_account SET status = 'active' WHERE username = $1`, [ADMIN.username]);
      await service.query(`DELETE FROM user_account WHERE username LIKE 'admin\\_%'`);
    });
  });
});
