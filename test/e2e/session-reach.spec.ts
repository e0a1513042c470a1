import { maxSessionsPerUser } from '../../src/session/store/session.settings';
import { SessionCleanupJob } from '../../src/session/session-cleanup.job';
import { expectProblem } from '../support/service/expect-problem';
import { itOnServer, WAITING_FOR_US } from '../support/service/on-server';
import { accessOf, refreshOf, resign, sessionOf } from '../support/accounts/session-tokens';
import type { Answer, Problem, TestClient } from '../support/service/test-client';
import { eventually, PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface SessionBody {
  readonly id: string;
  readonly current: boolean;
  readonly last_seen_at: string;
}

interface SessionList {
  readonly items: SessionBody[];
}

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

describe('session changes', () => {
  let service: TestService;
  let other: TestService;

  withService(async (started) => {
    service = started;
    other = await service.another();
  });

  const listOf = async (client: TestClient): Promise<SessionBody[]> =>
    (await client.get<SessionList>('/api/auth/sessions')).body.items;

  const me = (client: TestClient, cookie = client.cookie): Promise<Answer<Problem>> =>
    client.get<Problem>('/api/auth/me', { cookie });

  const codeOf = (answer: Answer<Problem>): string => (answer.status === 200 ? 'ok' : answer.body.code);

  describe('within a second on every instance', () => {
    const onOther = (cookie: string): Promise<Answer<Problem>> =>
      other.client().get<Problem>('/api/auth/me', { cookie });

    const soon = (cookie: string): Promise<Answer<Problem>> =>
      eventually(
        () => onOther(cookie),
        (answer) => answer.status === 401,
        // One second, plus some time for a busy machine.
        1.5,
      );

    it('apply a logout on another instance that has the session in its cache', async () => {
      const client = await service.signUp('other_logout');
      const { cookie } = client;
      expect((await onOther(cookie)).status).toBe(200);
      await client.post('/api/auth/logout');
      expectProblem(await soon(cookie), 401, 'session_revoked');
    });

    it('reject a disabled user for access and refresh, and accept an enabled one again', async () => {
      const client = await service.signUp('other_disabled');
      const { cookie } = client;
      expect((await onOther(cookie)).status).toBe(200);
      await service.query(`UPDATE user_account SET status = 'disabled' WHERE username = 'other_disabled'`);
      expectProblem(await soon(cookie), 401, 'session_revoked');
      expectProblem(await client.post<Problem>('/api/auth/refresh'), 401, 'session_revoked');
      await service.query(`UPDATE user_account SET status = 'active' WHERE username = 'other_disabled'`);
      await eventually(
        () => onOther(cookie),
        ({ status }) => status === 200,
        1.5,
      );
    });

    it('reject a deleted account', async () => {
      const client = await service.signUp('other_deleted');
      const { cookie } = client;
      expect((await onOther(cookie)).status).toBe(200);
      await service.query(`DELETE FROM user_account WHERE username = 'other_deleted'`);
      expectProblem(await soon(cookie), 401, 'session_revoked');
    });

    it('keep ended sessions ended when an instance starts with an empty cache', async () => {
      const client = await service.signUp('restart');
      const cookie = client.cookie;
      await client.post('/api/auth/logout');
      const fresh = await service.another();
      expectProblem(await fresh.client().get<Problem>('/api/auth/me', { cookie }), 401, 'session_revoked');
      const refreshed = await fresh.client().post<Problem>('/api/auth/refresh', undefined, { cookie });
      expectProblem(refreshed, 401, 'session_revoked');
    });

    it('accept a refreshed session immediately on another instance', async () => {
      const client = await service.signUp('other_refresh');
      expect((await onOther(client.cookie)).status).toBe(200);
      await client.post('/api/auth/refresh');
      await client.post('/api/auth/refresh');
      expect((await onOther(client.cookie)).status).toBe(200);
    });
  });

  it('reject a token with a future counter, without ending the session', async () => {
    const client = await service.signUp('ahead');
    const claims = { ver: `${sessionOf(client)}.2` };
    const ahead = await resign(service, accessOf(client), { claims });
    expect(codeOf(await me(client, `iam_access=${ahead}`))).toBe('session_revoked');
    const refresh = await resign(service, refreshOf(client), { claims });
    const refreshed = await service.client().post('/api/auth/refresh', { refresh_token: refresh });
    expectProblem(refreshed, 401, 'session_revoked');
    expect(refreshed.setCookies).toEqual([]);
    expect(codeOf(await me(client))).toBe('ok');
  });

  describe('login', () => {
    it('always creates a new session and adopts nothing from the request', async () => {
      const attacker = await service.signUp('fix_attacker');
      const victim = await service.register('fix_victim');
      for (const cookie of [
        attacker.cookie,
        `iam_access=${accessOf(attacker)}`,
        `iam_refresh=${refreshOf(attacker)}`,
        'iam_access=garbage; iam_refresh=garbage; iam_device=garbage',
        `iam_session=${UNKNOWN_ID}; session=${UNKNOWN_ID}`,
      ]) {
        victim.jar.clear();
        const answer = await victim.post<{ session: SessionBody; user: { username: string } }>(
          '/api/auth/login',
          { type: 'password', username: 'fix_victim', password: PASSWORD },
          { headers: { cookie } },
        );
        expect(answer.body.user.username).toBe('fix_victim');
        expect(answer.body.session.id).not.toBe(sessionOf(attacker));
        expect(sessionOf(victim)).toBe(answer.body.session.id);
      }
      const own = await attacker.get<{ username: string }>('/api/auth/me');
      expect(own.body.username).toBe('fix_attacker');
      expect(await listOf(attacker)).toHaveLength(1);
      expect(await listOf(victim)).toHaveLength(5);
    });

    it('creates a second session for a logged-in user and keeps the first', async () => {
      const client = await service.signUp('twice');
      const before = client.cookie;
      await service.logIn('twice', PASSWORD, client);
      expect(codeOf(await me(client, before))).toBe('ok');
      expect(await listOf(client)).toHaveLength(2);
    });

    it('beyond the session limit ends the session with the oldest activity', async () => {
      await service.set(maxSessionsPerUser, 2);
      try {
        const first = await service.signUp('most');
        const second = await service.logIn('most');
        await service.query(`UPDATE session SET last_seen_at = now() - interval '1 h' WHERE id = $1`, [
          sessionOf(second),
        ]);
        expect(codeOf(await me(second))).toBe('ok');
        const third = await service.logIn('most');
        expect(codeOf(await me(second))).toBe('session_revoked');
        expect(codeOf(await me(first))).toBe('ok');
        expect(codeOf(await me(third))).toBe('ok');
        const events = await service.query(`SELECT outcome, after FROM audit_event WHERE action = 'session.evict'`);
        expect(events).toEqual([{ outcome: 'success', after: { session_ids: [sessionOf(second)], max_per_user: 2 } }]);
      } finally {
        await service.set(maxSessionsPerUser, maxSessionsPerUser.defaultValue);
      }
    });

    itOnServer('can end a session that is being refreshed', async () => {
      await service.set(maxSessionsPerUser, 1);
      try {
        const first = await service.signUp('most_refreshed');
        let login: Promise<TestClient>;
        await service.query('BEGIN');
        try {
          await service.query('UPDATE session SET last_seen_at = now() WHERE id = $1', [sessionOf(first)]);
          login = service.logIn('most_refreshed');
          await eventually(
            () => service.query(WAITING_FOR_US),
            (rows) => rows.length > 0,
          );
        } finally {
          await service.query('COMMIT');
        }
        expect(codeOf(await me(await login))).toBe('ok');
        expect(codeOf(await me(first))).toBe('session_revoked');
      } finally {
        await service.set(maxSessionsPerUser, maxSessionsPerUser.defaultValue);
      }
    });

    it('never ends its own session by the limit, even with newer activity elsewhere', async () => {
      await service.set(maxSessionsPerUser, 1);
      try {
        const first = await service.signUp('most_one');
        await service.query(`UPDATE session SET last_seen_at = now() + interval '1 s' WHERE id = $1`, [
          sessionOf(first),
        ]);
        const second = await service.logIn('most_one');
        expect(codeOf(await me(second))).toBe('ok');
        expect(codeOf(await me(first))).toBe('session_revoked');
      } finally {
        await service.set(maxSessionsPerUser, maxSessionsPerUser.defaultValue);
      }
    });

    it('respects the session limit for parallel logins', async () => {
      await service.register('most_parallel');
      await service.set(maxSessionsPerUser, 3);
      try {
        await Promise.all(Array.from({ length: 9 }, () => service.logIn('most_parallel')));
        const rows = await service.query(
          `SELECT 1 FROM session JOIN user_account ON user_account.id = user_id
           WHERE username = 'most_parallel' AND revoked_at IS NULL`,
        );
        expect(rows).toHaveLength(3);
      } finally {
        await service.set(maxSessionsPerUser, maxSessionsPerUser.defaultValue);
      }
    });
  });

  describe('cleanup', () => {
    it('deletes only sessions that ended more than a day ago', async () => {
      const client = await service.signUp('cleaned');
      const ids = [sessionOf(client)];
      for (let count = 0; count < 4; count++) ids.push(sessionOf(await service.logIn('cleaned')));
      const [live, justExpired, longExpired, justRevoked, longRevoked] = ids;
      const end = (id: string | undefined, column: string, age: string): Promise<unknown> =>
        service.query(`UPDATE session SET ${column} = now() - interval '${age}', purge_at = now() WHERE id = $1`, [id]);
      await end(justExpired, 'expires_at', '23 h');
      await end(longExpired, 'expires_at', '25 h');
      await end(justRevoked, 'revoked_at', '23 h');
      await end(longRevoked, 'revoked_at', '25 h');
      await service.app.get(SessionCleanupJob).clean();
      const rows = await service.query<{ id: string }>('SELECT id FROM session WHERE id = ANY ($1::uuid[])', [ids]);
      expect(rows.map(({ id }) => id).sort()).toEqual([live, justExpired, justRevoked].sort());
      expect(codeOf(await me(client))).toBe('ok');
    });

    it('sets the deletion time of a session from a version that stored none', async () => {
      const client = await service.signUp('unnoted');
      const id = sessionOf(client);
      await service.query('UPDATE session SET purge_at = DEFAULT WHERE id = $1', [id]);
      await service.app.get(SessionCleanupJob).clean();
      const [row] = await service.query('SELECT purge_at > expires_at AS is FROM session WHERE id = $1', [id]);
      expect(row).toEqual({ is: true });
      expect(codeOf(await me(client))).toBe('ok');
    });

    it('checks a session a day after its expiry, and after a refresh at its new expiry', async () => {
      const client = await service.signUp('prolonged');
      const id = sessionOf(client);
      const looked = async (): Promise<boolean> => {
        const sql = `SELECT purge_at = expires_at + interval '1 day' AS is FROM session WHERE id = $1`;
        const [row] = await service.query<{ is: boolean }>(sql, [id]);
        return row?.is === true;
      };
      expect(await looked()).toBe(true);
      await service.query(`UPDATE session SET purge_at = now() - interval '1 s' WHERE id = $1`, [id]);
      expect((await client.post('/api/auth/refresh')).status).toBe(200);
      await service.app.get(SessionCleanupJob).clean();
      expect(await looked()).toBe(true);
      expect(codeOf(await me(client))).toBe('ok');
    });
  });
});
