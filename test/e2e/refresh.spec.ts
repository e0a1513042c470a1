import * as settings from '../../src/session/store/session.settings';
import { expectProblem } from '../support/service/expect-problem';
import { accessOf, refreshOf, sessionOf, versionOf } from '../support/accounts/session-tokens';
import type { Answer, Problem, TestClient } from '../support/service/test-client';
import { eventually, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Refreshed {
  readonly session: { id: string; current: boolean; expires_at: string; created_at: string };
  readonly access_expires_at: string;
}

interface SessionRow {
  readonly counter: number;
  readonly rotated_at: Date;
  readonly expires_at: Date;
  readonly absolute_expires_at: Date;
  readonly revoked_at: Date | null;
}

describe('session refresh', () => {
  let service: TestService;

  withService((started) => {
    service = started;
  });

  const rowOf = async (id: string): Promise<SessionRow> => {
    const [row] = await service.query<SessionRow>('SELECT * FROM session WHERE id = $1', [id]);
    return row!;
  };

  const ageRotation = (id: string, seconds: number): Promise<unknown> =>
    service.query(`UPDATE session SET rotated_at = rotated_at - make_interval(secs => $2) WHERE id = $1`, [
      id,
      seconds,
    ]);

  const replay = <T = Problem>(client: TestClient, token: string): Promise<Answer<T>> =>
    client.post<T>('/api/auth/refresh', undefined, { cookie: `iam_refresh=${token}` });

  const setCounters = (answer: Answer<unknown>): number[] =>
    answer.setCookies.map((line) => versionOf(line.slice(line.indexOf('=') + 1, line.indexOf(';'))).counter);

  it('rotates once for 50 parallel calls with one cookie and gives all of them the same counter', async () => {
    const client = await service.signUp('parallel');
    const id = sessionOf(client);
    const token = refreshOf(client);
    const answers = await Promise.all(Array.from({ length: 50 }, () => replay<Refreshed>(client, token)));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(50).fill(200));
    expect(new Set(answers.flatMap(setCounters))).toEqual(new Set([2]));
    expect(await rowOf(id)).toMatchObject({ counter: 2, revoked_at: null });
  });

  it('rotates once for parallel calls on two instances', async () => {
    const other = await service.another();
    const client = await service.signUp('two_instances');
    const token = refreshOf(client);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const target = index % 2 === 0 ? service.client() : other.client();
        return replay<Refreshed>(target, token);
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
    expect(new Set(answers.flatMap(setCounters))).toEqual(new Set([2]));
    expect((await rowOf(sessionOf(client))).counter).toBe(2);
  });

  it('returns valid tokens for the same session and their expiry', async () => {
    const client = await service.signUp('working');
    const before = Date.now();
    const refreshed = await client.post<Refreshed>('/api/auth/refresh');
    expect(refreshed.body.session).toMatchObject({ id: sessionOf(client), current: true });
    expect(Date.parse(refreshed.body.access_expires_at) - before).toBeGreaterThan(890_000);
    expect(Date.parse(refreshed.body.access_expires_at) - before).toBeLessThanOrEqual(901_000);
    expect((await client.get('/api/auth/me')).status).toBe(200);
    expect((await client.post('/api/auth/refresh')).status).toBe(200);
    expect(versionOf(refreshOf(client)).counter).toBe(3);
  });

  it('returns the session as it is stored and listed', async () => {
    const client = await service.signUp('same_words');
    client.address = '192.0.2.7';
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0';
    const { body } = await client.post<Refreshed>('/api/auth/refresh', undefined, { headers: { 'user-agent': agent } });
    const [row] = await service.query<{ seen: Date }>('SELECT last_seen_at AS seen FROM session WHERE id = $1', [
      sessionOf(client),
    ]);
    const list = await client.get<{ items: object[] }>('/api/auth/sessions');
    expect(body.session).toMatchObject({ ip: '192.0.2.7', user_agent: agent, device: { browser: 'Firefox' } });
    expect(body.session).toMatchObject({ last_seen_at: row?.seen.toISOString() });
    // Listing the sessions counts as activity.
    expect(list.body.items).toEqual([{ ...body.session, last_seen_at: expect.any(String) as string }]);
  });

  it('ends the session when the previous token comes after the grace period, and audits it', async () => {
    const client = await service.signUp('late_replay');
    const id = sessionOf(client);
    const stolen = refreshOf(client);
    await client.post('/api/auth/refresh');
    await ageRotation(id, 31);
    // Fills the cache, which holds the session for a second.
    expect((await client.get('/api/auth/me')).status).toBe(200);

    const reused = await replay(client, stolen);
    expectProblem(reused, 401, 'refresh_reused');
    expect(reused.setCookies).toEqual([]);
    expectProblem(await client.get<Problem>('/api/auth/me'), 401, 'session_revoked');
    expectProblem(await client.post<Problem>('/api/auth/refresh'), 401, 'session_revoked');
    expectProblem(await replay(client, stolen), 401, 'session_revoked');
    expect((await rowOf(id)).revoked_at).not.toBeNull();

    const events = await service.query(
      `SELECT outcome, target_id, target_label, after FROM audit_event WHERE action = 'session.refresh_reused' AND session_id = $1`,
      [id],
    );
    const [user] = await service.query<{ id: string }>(`SELECT id FROM user_account WHERE username = 'late_replay'`);
    const after = { session_id: id, counter: 2, reused: 1 };
    expect(events).toEqual([{ outcome: 'failure', target_id: user!.id, target_label: 'late_replay', after }]);
  });

  it('accepts the previous token until the end of the grace period', async () => {
    const client = await service.signUp('in_grace');
    const token = refreshOf(client);
    await client.post('/api/auth/refresh');
    await ageRotation(sessionOf(client), 25);
    expect((await replay(client, token)).status).toBe(200);
  });

  it('ends the session for a token two rotations old, also within the grace period', async () => {
    const client = await service.signUp('two_old');
    const first = refreshOf(client);
    await client.post('/api/auth/refresh');
    await client.post('/api/auth/refresh');
    expectProblem(await replay(client, first), 401, 'refresh_reused');
    expectProblem(await client.get<Problem>('/api/auth/me'), 401, 'session_revoked');
  });

  it('ends only the session whose token was reused', async () => {
    const victim = await service.signUp('one_of_two');
    const other = await service.logIn('one_of_two');
    const first = refreshOf(victim);
    await victim.post('/api/auth/refresh');
    await victim.post('/api/auth/refresh');
    await replay(victim, first);
    expect((await other.get('/api/auth/me')).status).toBe(200);
  });

  it('writes one audit event for parallel reuses of one token', async () => {
    const client = await service.signUp('parallel_reuse');
    const id = sessionOf(client);
    const first = refreshOf(client);
    await client.post('/api/auth/refresh');
    await client.post('/api/auth/refresh');
    const answers = await Promise.all(Array.from({ length: 10 }, () => replay(client, first)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    const events = await service.query(
      `SELECT 1 FROM audit_event WHERE action = 'session.refresh_reused' AND session_id = $1`,
      [id],
    );
    expect(events).toHaveLength(1);
  });

  it('neither rotates nor extends anything for a repeat within the grace period', async () => {
    const client = await service.signUp('no_longer_life');
    const id = sessionOf(client);
    const token = refreshOf(client);
    await client.post('/api/auth/refresh');
    // Simulates a rotation ten seconds ago.
    await service.query(
      `UPDATE session SET rotated_at = rotated_at - interval '10 s', expires_at = expires_at - interval '10 s' WHERE id = $1`,
      [id],
    );
    const before = await rowOf(id);
    const honoured = await replay<Refreshed>(client, token);
    expect(await rowOf(id)).toEqual(before);
    expect(honoured.body.session.expires_at).toBe(before.expires_at.toISOString());
    const accessEnd = Date.parse(honoured.body.access_expires_at);
    expect(accessEnd).toBeLessThanOrEqual(before.rotated_at.getTime() + 900_000);
  });

  it('treats the previous token as a replay immediately when the grace period is 0', async () => {
    await service.set(settings.versionGrace, 0);
    try {
      const client = await service.signUp('no_grace');
      const token = refreshOf(client);
      await client.post('/api/auth/refresh');
      await ageRotation(sessionOf(client), 0.01);
      expectProblem(await replay(client, token), 401, 'refresh_reused');
    } finally {
      await service.set(settings.versionGrace, settings.versionGrace.defaultValue);
    }
  });

  it('limits rotations per session and minute, without counting repeats and without revoking', async () => {
    await service.set(settings.refreshPerMinutePerSession, 3);
    try {
      const client = await service.signUp('limited');
      const other = await service.logIn('limited');
      for (let turn = 1; turn <= 2; turn++) expect((await client.post('/api/auth/refresh')).status).toBe(200);
      const previous = refreshOf(client);
      expect((await client.post('/api/auth/refresh')).status).toBe(200);
      for (let turn = 1; turn <= 5; turn++) expect((await replay(client, previous)).status).toBe(200);

      const rejected = await client.post<Problem>('/api/auth/refresh');
      expectProblem(rejected, 429, 'rate_limited');
      expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(rejected.headers['retry-after'])).toBeLessThanOrEqual(60);
      expect((await rowOf(sessionOf(client))).counter).toBe(4);

      expect((await replay(client, previous)).status).toBe(200);
      expect((await client.get('/api/auth/me')).status).toBe(200);
      expect((await other.post('/api/auth/refresh')).status).toBe(200);
    } finally {
      await service.set(settings.refreshPerMinutePerSession, settings.refreshPerMinutePerSession.defaultValue);
    }
  });

  it('prefers the token in the body to the cookie', async () => {
    const ann = await service.signUp('body_ann');
    const bob = await service.signUp('body_bob');
    const annsSession = sessionOf(ann);
    const answer = await bob.post<Refreshed>('/api/auth/refresh', { refresh_token: refreshOf(ann) });
    expect(answer.body.session.id).toBe(annsSession);

    const rejected = await ann.post<Problem>('/api/auth/refresh', { refresh_token: 'garbage' });
    expectProblem(rejected, 401, 'unauthenticated');
  });

  it.each([
    { what: 'no body', body: undefined },
    { what: 'an empty object', body: {} },
    { what: 'null', body: { refresh_token: null } },
    { what: 'an empty text', body: { refresh_token: '' } },
  ])('uses the cookie for $what', async ({ what, body }) => {
    const client = await service.signUp(`cookie_${what.replaceAll(' ', '_')}`);
    expect((await client.post('/api/auth/refresh', body)).status).toBe(200);
    expect(versionOf(refreshOf(client)).counter).toBe(2);
  });

  it.each([
    { what: 'a number', refresh_token: 1 },
    { what: 'a list', refresh_token: ['x'] },
    { what: 'an object', refresh_token: { $ne: '' } },
    { what: 'a text over 2,048 characters', refresh_token: 'x'.repeat(2_049) },
  ])('rejects $what as a token', async ({ refresh_token }) => {
    const answer = await service.client().post<Problem>('/api/auth/refresh', { refresh_token });
    expect(answer.status).toBe(400);
    expect(answer.body.errors?.[0]?.field).toBe('refresh_token');
  });

  it('rejects a refresh without a token', async () => {
    expectProblem(await service.client().post<Problem>('/api/auth/refresh'), 401, 'unauthenticated');
  });

  it('needs no access token', async () => {
    const client = await service.signUp('refresh_alone');
    expect((await replay(client, refreshOf(client))).status).toBe(200);
  });

  it('ends a session at its idle timeout', async () => {
    const client = await service.signUp('idle');
    await service.query(`UPDATE session SET expires_at = now() - interval '1 ms' WHERE id = $1`, [sessionOf(client)]);
    expectProblem(await client.post<Problem>('/api/auth/refresh'), 401, 'token_expired');
    await eventually(
      () => client.get<Problem>('/api/auth/me'),
      ({ body }) => body.code === 'token_expired',
      2,
    );
  });

  it('restarts the idle timeout with each rotation and never moves the absolute expiry', async () => {
    const client = await service.signUp('absolute');
    const id = sessionOf(client);
    await service.query(
      `UPDATE session SET expires_at = now() + interval '1 h', absolute_expires_at = now() + interval '20 d' WHERE id = $1`,
      [id],
    );
    const before = await rowOf(id);
    const first = await client.post<Refreshed>('/api/auth/refresh');
    const rotated = await rowOf(id);
    expect(rotated.absolute_expires_at).toEqual(before.absolute_expires_at);
    // The idle timeout of thirty days would exceed the absolute expiry.
    expect(rotated.expires_at).toEqual(before.absolute_expires_at);
    expect(first.body.session.expires_at).toBe(before.absolute_expires_at.toISOString());

    await service.query(
      `UPDATE session SET expires_at = now() - interval '1 ms', absolute_expires_at = now() - interval '1 ms' WHERE id = $1`,
      [id],
    );
    expectProblem(await client.post<Problem>('/api/auth/refresh'), 401, 'token_expired');
  });

  it('creates sessions with the lifetimes of the settings', async () => {
    await service.set(settings.refreshTtl, 3_600);
    await service.set(settings.absoluteTtl, 7_200);
    try {
      const client = await service.signUp('lifetimes');
      const row = await rowOf(sessionOf(client));
      expect(row.expires_at.getTime() - row.rotated_at.getTime()).toBe(3_600_000);
      expect(row.absolute_expires_at.getTime() - row.rotated_at.getTime()).toBe(7_200_000);
    } finally {
      await service.set(settings.refreshTtl, settings.refreshTtl.defaultValue);
      await service.set(settings.absoluteTtl, settings.absoluteTtl.defaultValue);
    }
  });

  it('rejects a disabled user, also within the grace period', async () => {
    const client = await service.signUp('disabled_refresh');
    const previous = refreshOf(client);
    await client.post('/api/auth/refresh');
    await service.query(`UPDATE user_account SET status = 'disabled' WHERE username = 'disabled_refresh'`);
    expectProblem(await client.post<Problem>('/api/auth/refresh'), 401, 'session_revoked');
    await eventually(
      () => replay(client, previous),
      ({ status, body }) => status === 401 && body.code === 'session_revoked',
      2,
    );
  });

  it('keeps access tokens of the previous counter valid and reports older ones as expired', async () => {
    const client = await service.signUp('older_access');
    const id = sessionOf(client);
    const first = accessOf(client);
    const use = (token: string): Promise<Answer<Problem>> =>
      client.get<Problem>('/api/auth/me', { cookie: `iam_access=${token}` });
    await client.post('/api/auth/refresh');
    await ageRotation(id, 60);
    expect((await use(first)).status).toBe(200);
    await client.post('/api/auth/refresh');
    const stale = await use(first);
    expectProblem(stale, 401, 'token_expired');
    expect((await rowOf(id)).revoked_at).toBeNull();
    expect((await client.get('/api/auth/me')).status).toBe(200);
  });
});
