import { eventually } from '../support/service/eventually';
import { expectProblem } from '../support/service/expect-problem';
import { Load } from '../support/service/load';
import { describeWithPostgres, owner, PostgresServer } from '../support/servers/postgres-server';
import { noSmallDisk, SmallDisk } from '../support/service/small-disk';
import { Answer, Problem } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';

jest.setTimeout(180_000);

/** `TEST_OUTAGE_SECONDS=30` shows more. */
const OUTAGE_SECONDS = Number(process.env['TEST_OUTAGE_SECONDS'] ?? 6);

describeWithPostgres('database server failure', () => {
  let server: PostgresServer;
  let service: TestService;
  let names = 0;

  beforeAll(async () => {
    server = await PostgresServer.started();
    service = await TestService.start({ environment: { DATABASE_URL: server.url } });
  });

  afterAll(async () => {
    await service.stop();
    await server.remove();
  });

  const register = async (acknowledged: string[] = []): Promise<Answer<Problem>> => {
    const username = `failing_${++names}`;
    const answer = await service.client().post<Problem>('/api/auth/register', { username, password: PASSWORD });
    if (answer.status === 201) acknowledged.push(username);
    return answer;
  };
  const timed = async (ask: () => Promise<Answer<Problem>>): Promise<{ answer: Answer<Problem>; took: number }> => {
    const began = performance.now();
    const answer = await ask();
    return { answer, took: performance.now() - began };
  };
  const expectUnavailable = (answer: Answer<Problem>): void => {
    expectProblem(answer, 503, 'unavailable');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  };
  /** Expects that every acknowledged user exists, and that every user has the default role and an audit event. */
  const expectWhole = async (acknowledged: readonly string[]): Promise<void> => {
    const kept = await server.query<{ username: string; is_whole: boolean }>(
      `SELECT username, EXISTS (SELECT FROM user_role JOIN role ON role.id = role_id WHERE user_id = u.id AND role.name = 'user')
          AND EXISTS (SELECT FROM audit_event WHERE action = 'user.create' AND target_id = u.id::text) AS is_whole
        FROM user_account u WHERE username LIKE 'failing%'`,
    );
    expect(kept.filter(({ is_whole }) => !is_whole)).toEqual([]);
    const names = new Set(kept.map(({ username }) => username));
    expect(acknowledged.filter((username) => !names.has(username))).toEqual([]);
  };

  it('outage causes 503 within three seconds and one log line, then recovery without lost writes', async () => {
    const ann = await service.signUp('outage_ann');
    const acknowledged: string[] = [];
    const load = new Load([() => register(acknowledged), () => ann.get<Problem>('/api/auth/me')]);
    await load.reaches(20, ({ status }) => status < 300);
    const linesBefore = service.logLines.length;

    await server.crash();
    const lost = performance.now();
    await load.lastsUntil(lost + OUTAGE_SECONDS * 1_000);
    const { status, body } = await service.client().get<{ status: string }>('/health/ready');
    expect([status, body.status]).toEqual([503, 'unavailable']);
    expect((await service.client().get('/health/live')).status).toBe(200);
    const starting = performance.now();
    await server.start();
    const back = performance.now();
    const ofOutage = load.results.length;
    await eventually(
      async () => load.results.slice(-20),
      (latest) => load.results.length > ofOutage + 20 && latest.every(({ answer }) => answer.status < 300),
      15,
    );
    await load.end();

    const rejected = load.results.filter(({ answer }) => answer.status >= 300);
    for (const { answer } of rejected) expectUnavailable(answer);
    expect(Math.max(...rejected.map(({ took }) => took))).toBeLessThan(3_000);
    // Cached data may be used for a second after the loss.
    const during = load.results.filter(({ sent }) => sent > lost + 1_100 && sent < starting);
    expect(during.length).toBeGreaterThan(OUTAGE_SECONDS * 10);
    expect(during.filter(({ answer }) => answer.status !== 503)).toEqual([]);
    expect(Math.max(...rejected.map(({ sent }) => sent)) - back).toBeLessThan(5_000);
    const lines = service.logLines.slice(linesBefore).map((line) => JSON.parse(line) as { level: string; msg: string });
    const logged = lines.filter(({ level, msg }) => ['warn', 'error'].includes(level) || /database/.test(msg));
    // A crash ends connections one by one, so a probe on one of the last may still find the database.
    if (logged[0]?.msg === 'The database ended connections') logged.shift();
    expect(logged).toMatchObject([
      { level: 'error', msg: expect.stringContaining('out of reach') as string },
      { level: 'info', msg: 'The database is back' },
    ]);
    await expectWhole(acknowledged);
  });

  it('random connection kills cause complete responses or 503 only', async () => {
    const acknowledged: string[] = [];
    const killer = await server.connect();
    const work = { isOver: false };
    const killing = (async () => {
      while (!work.isOver) {
        await killer.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE application_name = 'castellan' AND state <> 'idle' AND random() < 0.3`,
        );
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    const answers = (await Promise.all([1, 2, 3, 4].map(() => inTurn(30, () => register(acknowledged))))).flat();
    work.isOver = true;
    await killing;
    await killer.end();
    const rejected = answers.filter(({ status }) => status !== 201);
    for (const answer of rejected) expectUnavailable(answer);
    expect(Math.min(acknowledged.length, rejected.length)).toBeGreaterThan(0);
    await expectWhole(acknowledged);
  });

  it('a locked table causes 503 within six seconds for requests that need it, and no change for others', async () => {
    const locker = await server.connect();
    await locker.query('BEGIN; LOCK TABLE user_role IN ACCESS EXCLUSIVE MODE');
    const waiting = timed(() => register());
    const others = await timed(() => service.client().get<Problem>('/.well-known/jwks.json'));
    expect(others.answer.status).toBe(200);
    expect(others.took).toBeLessThan(1_500);
    const { answer, took } = await waiting;
    expectUnavailable(answer);
    expect(took).toBeLessThan(6_000);
    await locker.query('ROLLBACK');
    await locker.end();
    expect((await register()).status).toBe(201);
  });

  it('a read-only database causes 503 for writes and no change for reads', async () => {
    const ann = await service.signUp('readonly_ann');
    await server.query('ALTER SYSTEM SET default_transaction_read_only = on');
    await server.query('SELECT pg_reload_conf()');
    expectUnavailable(
      await eventually(
        () => register(),
        ({ status }) => status !== 201,
      ),
    );
    expectUnavailable(await ann.patch<Problem>('/api/auth/me', { nickname: 'Nobody' }));
    for (const path of ['/api/auth/me', '/api/auth/sessions', '/health/ready']) {
      expect([path, (await ann.get(path)).status]).toEqual([path, 200]);
    }
    await server.query('ALTER SYSTEM RESET default_transaction_read_only');
    await server.query('SELECT pg_reload_conf()');
    await eventually(
      () => register(),
      ({ status }) => status === 201,
    );
  });

  if (noSmallDisk !== undefined) process.stdout.write(`${noSmallDisk}; skipped: a full disk of the database\n`);
  (noSmallDisk === undefined ? it : it.skip)(
    'a full disk causes 503 for writes and no change for reads until space is free',
    async () => {
      const ann = await service.signUp('full_ann');
      const disk = new SmallDisk(8, owner());
      try {
        await server.query(`CREATE TABLESPACE small LOCATION '${disk.folder}'`);
        // Frees the space of rejected registrations, which the test of a full disk must not find.
        await server.query('VACUUM FULL user_account');
        await server.query('ALTER TABLE user_account SET TABLESPACE small');
        disk.fill();
        const acknowledged: string[] = [];
        expectUnavailable(
          await eventually(
            () => register(acknowledged),
            ({ status }) => status !== 201,
            30,
          ),
        );
        expectUnavailable(await register(acknowledged));
        expect((await ann.get('/api/auth/sessions')).status).toBe(200);
        disk.makeRoom();
        expect((await register(acknowledged)).status).toBe(201);
        await expectWhole(acknowledged);
      } finally {
        await server.query('ALTER TABLE user_account SET TABLESPACE pg_default');
        await server.query('DROP TABLESPACE small');
        disk.remove();
      }
    },
  );
});

async function inTurn<T>(times: number, act: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let count = 0; count < times; count++) results.push(await act());
  return results;
}
