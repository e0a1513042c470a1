import { SessionActivityService } from '../../src/session';
import { expectProblem } from '../support/service/expect-problem';
import { sessionOf } from '../support/accounts/session-tokens';
import type { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface SessionBody {
  readonly id: string;
  readonly current: boolean;
  readonly last_seen_at: string;
}

interface SessionList {
  readonly items: SessionBody[];
}

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

describe('sessions of a user', () => {
  let service: TestService;

  withService((started) => {
    service = started;
  });

  const listOf = async (client: TestClient): Promise<SessionBody[]> =>
    (await client.get<SessionList>('/api/auth/sessions')).body.items;

  const me = (client: TestClient, cookie = client.cookie): Promise<Answer<Problem>> =>
    client.get<Problem>('/api/auth/me', { cookie });

  const codeOf = (answer: Answer<Problem>): string => (answer.status === 200 ? 'ok' : answer.body.code);

  const isRevoked = async (id: string): Promise<boolean> => {
    const rows = await service.query('SELECT 1 FROM session WHERE id = $1 AND revoked_at IS NOT NULL', [id]);
    return rows.length === 1;
  };

  describe('list', () => {
    it('shows each session with device, address and times, and marks the current one', async () => {
      const client = await service.register('shape');
      await client.post(
        '/api/auth/login',
        { type: 'password', username: 'shape', password: PASSWORD },
        { headers: { 'user-agent': FIREFOX } },
      );
      const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
      expect(await listOf(client)).toEqual([
        {
          id: sessionOf(client),
          current: true,
          login_method: 'password',
          ip: client.address,
          user_agent: FIREFOX,
          device: { name: 'Firefox on Linux', os: 'Linux', browser: 'Firefox', type: 'desktop' },
          created_at: time,
          last_seen_at: time,
          expires_at: time,
        },
      ]);
    });

    it('is sorted by activity, newest first, the current request included', async () => {
      const first = await service.signUp('order');
      const second = await service.logIn('order');
      const third = await service.logIn('order');
      await service.query(
        `UPDATE session SET last_seen_at = now() - CASE id WHEN $1::uuid THEN interval '3 h' WHEN $2::uuid THEN interval '1 h' ELSE interval '2 h' END
         WHERE id = ANY ($3::uuid[])`,
        [sessionOf(first), sessionOf(second), [first, second, third].map(sessionOf)],
      );
      const items = await listOf(first);
      expect(items.map(({ id }) => id)).toEqual([first, second, third].map(sessionOf));
      expect(items.map(({ current }) => current)).toEqual([true, false, false]);
      expect(Date.now() - Date.parse(items[0]!.last_seen_at)).toBeLessThan(60_000);
    });

    it('shares activity with other instances', async () => {
      const client = await service.signUp('activity');
      await service.query(`UPDATE session SET last_seen_at = now() - interval '1 h' WHERE id = $1`, [
        sessionOf(client),
      ]);
      await me(client);
      await service.app.get(SessionActivityService).flush();
      const rows = await service.query(
        `SELECT 1 FROM session WHERE id = $1 AND last_seen_at > now() - interval '1 min'`,
        [sessionOf(client)],
      );
      expect(rows).toHaveLength(1);
    });

    it('stores pending activity at shutdown', async () => {
      const client = await service.signUp('stopping');
      const other = await service.another();
      await service.query(`UPDATE session SET last_seen_at = now() - interval '1 h' WHERE id = $1`, [
        sessionOf(client),
      ]);
      await other.client().get('/api/auth/me', { cookie: client.cookie });
      await other.stop();
      expect(other.logLines.filter((line) => line.includes('"level":"warn"'))).toEqual([]);
      const rows = await service.query(
        `SELECT 1 FROM session WHERE id = $1 AND last_seen_at > now() - interval '1 min'`,
        [sessionOf(client)],
      );
      expect(rows).toHaveLength(1);
    });

    it('keeps a later time that another instance has stored', async () => {
      const client = await service.signUp('seen_elsewhere');
      await me(client);
      const later = `UPDATE session SET last_seen_at = date_trunc('second', now()) + interval '1 h' WHERE id = $1 RETURNING last_seen_at`;
      const [seen] = await service.query(`WITH seen AS (${later}) SELECT * FROM seen`, [sessionOf(client)]);
      await service.app.get(SessionActivityService).flush();
      const rows = await service.query(`SELECT last_seen_at FROM session WHERE id = $1`, [sessionOf(client)]);
      expect(rows).toEqual([seen]);
    });

    it('omits sessions that are revoked or expired', async () => {
      const client = await service.signUp('ended');
      const revoked = await service.logIn('ended');
      const expired = await service.logIn('ended');
      await revoked.post('/api/auth/logout');
      await service.query(`UPDATE session SET expires_at = now() WHERE id = $1`, [sessionOf(expired)]);
      expect((await listOf(client)).map(({ id }) => id)).toEqual([sessionOf(client)]);
    });

    it('contains only sessions of the caller', async () => {
      const ann = await service.signUp('list_ann');
      const bob = await service.signUp('list_bob');
      expect((await listOf(ann)).map(({ id }) => id)).toEqual([sessionOf(ann)]);
      expect((await listOf(bob)).map(({ id }) => id)).toEqual([sessionOf(bob)]);
      expectProblem(await service.client().get<Problem>('/api/auth/sessions'), 401, 'unauthenticated');
    });
  });

  describe('revocation of one', () => {
    it('ends it for access and refresh immediately, and leaves the others', async () => {
      const keeper = await service.signUp('revoke_one');
      const ended = await service.logIn('revoke_one');
      const id = sessionOf(ended);
      // Fills the cache, which the revocation must invalidate.
      expect(codeOf(await me(ended))).toBe('ok');
      expect((await keeper.delete(`/api/auth/sessions/${id}`)).status).toBe(204);
      expect(codeOf(await me(ended))).toBe('session_revoked');
      expectProblem(await ended.post<Problem>('/api/auth/refresh'), 401, 'session_revoked');
      expect(codeOf(await me(keeper))).toBe('ok');
      expectProblem(await keeper.delete<Problem>(`/api/auth/sessions/${id}`), 404, 'not_found');
    });

    it('may end the current one', async () => {
      const client = await service.signUp('revoke_self');
      expect((await client.delete(`/api/auth/sessions/${sessionOf(client)}`)).status).toBe(204);
      expect(codeOf(await me(client))).toBe('session_revoked');
    });

    it('returns for another user’s session the same error as for a missing one, and leaves it alone', async () => {
      const ann = await service.signUp('idor_ann');
      const bob = await service.signUp('idor_bob');
      const admin = await service.admin();
      for (const stranger of [ann, admin]) {
        const foreign = await stranger.delete<Problem>(`/api/auth/sessions/${sessionOf(bob)}`);
        const unknown = await stranger.delete<Problem>(`/api/auth/sessions/${UNKNOWN_ID}`);
        expect(foreign.status).toBe(404);
        expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
      }
      expect(await isRevoked(sessionOf(bob))).toBe(false);
      expect(codeOf(await me(bob))).toBe('ok');
    });

    it.each([
      'x',
      '1',
      "'%20OR%201=1--",
      UNKNOWN_ID.toUpperCase().replace('7', 'A'),
      '%00',
      '..%2f',
      'null',
      '__proto__',
    ])('returns 404 for the malformed id %s', async (id) => {
      const client = await service.logIn('idor_ann');
      const answer = await client.delete<Problem>(`/api/auth/sessions/${id}`);
      expectProblem(answer, 404, 'not_found');
    });

    it('is audited', async () => {
      const client = await service.signUp('revoke_audit');
      const ended = sessionOf(await service.logIn('revoke_audit'));
      await client.delete(`/api/auth/sessions/${ended}`);
      const events = await service.query(
        `SELECT actor_name, session_id, target_type FROM audit_event WHERE action = 'session.revoke' AND target_id = $1`,
        [ended],
      );
      expect(events).toEqual([{ actor_name: 'revoke_audit', session_id: sessionOf(client), target_type: 'session' }]);
    });
  });

  describe('revocation of the others', () => {
    it('ends all but the current one and returns their number', async () => {
      const current = await service.signUp('revoke_others');
      const others = [await service.logIn('revoke_others'), await service.logIn('revoke_others')];
      const stranger = await service.signUp('revoke_stranger');
      for (const client of others) expect(codeOf(await me(client))).toBe('ok');
      const answer = await current.delete<{ revoked: number }>('/api/auth/sessions');
      expect(answer.body).toEqual({ revoked: 2 });
      for (const client of others) expect(codeOf(await me(client))).toBe('session_revoked');
      expect(codeOf(await me(current))).toBe('ok');
      expect(codeOf(await me(stranger))).toBe('ok');
      expect((await current.delete<{ revoked: number }>('/api/auth/sessions')).body).toEqual({ revoked: 0 });
    });
  });

  describe('logout', () => {
    it('ends only the session it is called in', async () => {
      const [first, second, third] = [
        await service.signUp('logout_one'),
        await service.logIn('logout_one'),
        await service.logIn('logout_one'),
      ];
      const before = second.cookie;
      expect((await second.post('/api/auth/logout')).status).toBe(204);
      expect(codeOf(await me(first))).toBe('ok');
      expect(codeOf(await me(second, before))).toBe('session_revoked');
      expect(codeOf(await me(third))).toBe('ok');
    });

    it('deletes both cookies with the name and path they were set with', async () => {
      const client = await service.signUp('logout_cookies');
      const answer = await client.post('/api/auth/logout');
      for (const kind of ['access', 'refresh']) {
        const line = answer.setCookies.find((cookie) => cookie.startsWith(`iam_${kind}=;`));
        expect(line?.split('; ')).toEqual(
          expect.arrayContaining(['Max-Age=0', 'Path=/', 'Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'HttpOnly']),
        );
      }
    });

    it('requires a session', async () => {
      expectProblem(await service.client().post<Problem>('/api/auth/logout'), 401, 'unauthenticated');
    });
  });
});
