import { EmbeddedDatabase } from '../../src/platform/database';
import { BrokenConnectionError, call } from '../support/http-caller';
import { Build, buildService, endServiceProcesses, ServiceProcess } from '../support/service-process';
import { createTestDatabase, TestDatabase } from '../support/test-database';

jest.setTimeout(300_000);

const ROUNDS = 5;
const PASSWORD = 'correct horse battery staple';
const KEYS = `test:${Buffer.alloc(32, 'k').toString('base64url')}`;

/** What the service said it had done. */
interface Ledger {
  readonly users: string[];
  /** The last cookies of sessions that were acknowledged. */
  readonly sessions: Map<string, string>;
}

describe('kill -9 in the middle of the work', () => {
  let build: Build;
  let database: TestDatabase;
  let environment: Record<string, string>;
  let dataDir: string;
  let names = 0;

  beforeAll(async () => {
    build = buildService();
    database = await createTestDatabase();
    dataDir = build.freshFolder();
    environment = {
      DATA_DIR: dataDir,
      ENCRYPTION_KEYS: KEYS,
      ADMIN_PASSWORD: PASSWORD,
      ...(database.url !== undefined && { DATABASE_URL: database.url }),
    };
  });

  afterAll(async () => {
    await endServiceProcesses();
    await database.drop();
    build.remove();
  });

  const register = async (url: string, { users }: Ledger): Promise<void> => {
    const username = `crash_${++names}`;
    const { status } = await call(url, 'POST', '/api/auth/register', { body: { username, password: PASSWORD } });
    expect(status).toBe(201);
    users.push(username);
  };

  const logIn = async (url: string, { users, sessions }: Ledger): Promise<void> => {
    const username = users[Math.floor(Math.random() * users.length)] ?? 'admin';
    const body = { type: 'password', username, password: PASSWORD };
    const { status, cookie } = await call(url, 'POST', '/api/auth/login', { body });
    expect(status).toBe(200);
    sessions.set(`${username} ${++names}`, cookie);
  };

  const refresh = async (url: string, { sessions }: Ledger, [name, cookie]: [string, string]): Promise<void> => {
    const answer = await call(url, 'POST', '/api/auth/refresh', { cookie });
    // A budget of refreshes may be spent; what was acknowledged before stays the last word.
    if (answer.status === 429) return;
    expect(answer.status).toBe(200);
    sessions.set(name, answer.cookie);
  };

  /** Works until the connection breaks; what was acknowledged is in the ledger. */
  const workUntilItBreaks = async (step: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        await step();
      } catch (error) {
        if (error instanceof BrokenConnectionError) return;
        throw error;
      }
    }
  };

  const hammer = async (service: ServiceProcess, url: string, ledger: Ledger): Promise<void> => {
    const before = ledger.users.length;
    const mine = [...ledger.sessions].slice(-3);
    const work = [
      workUntilItBreaks(() => register(url, ledger)),
      workUntilItBreaks(() => register(url, ledger)),
      workUntilItBreaks(() => logIn(url, ledger)),
      ...mine.map(([name]) => workUntilItBreaks(() => refresh(url, ledger, [name, ledger.sessions.get(name) ?? '']))),
    ];
    const killed = (async () => {
      while (ledger.users.length < before + 3) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
      await service.end('SIGKILL');
    })();
    await Promise.all([...work, killed]);
  };

  const verify = async (url: string, { users, sessions }: Ledger): Promise<void> => {
    const [newest = 'admin'] = users.slice(-1);
    const body = { type: 'password', username: newest, password: PASSWORD };
    expect((await call(url, 'POST', '/api/auth/login', { body })).status).toBe(200);
    for (const [name, cookie] of [...sessions].slice(-5)) {
      const { status } = await call(url, 'POST', '/api/auth/refresh', { cookie });
      expect({ name, status }).toEqual({ name, status: 200 });
      sessions.delete(name);
    }
  };

  const query = async <T>(sql: string): Promise<T[]> => {
    if (database.url !== undefined) return database.query<T>(sql);
    const embedded = await EmbeddedDatabase.open({ dataDir });
    const lease = await embedded.lease();
    try {
      return (await lease.query({ text: sql })).rows as T[];
    } finally {
      lease.release();
      await embedded.close();
    }
  };

  it('loses nothing that was acknowledged and leaves nothing half done', async () => {
    const ledger: Ledger = { users: [], sessions: new Map() };
    for (let round = 0; round < ROUNDS; round++) {
      const service = ServiceProcess.start(build, environment);
      const url = await service.ready;
      await verify(url, ledger);
      await hammer(service, url, ledger);
    }
    const last = ServiceProcess.start(build, environment);
    await verify(await last.ready, ledger);
    expect(await last.end('SIGTERM')).toEqual({ code: 0, signal: null });

    const kept = await query<{ username: string }>('SELECT username FROM user_account');
    const stored = new Set(kept.map(({ username }) => username));
    expect(ledger.users.length).toBeGreaterThanOrEqual(ROUNDS * 3);
    expect(ledger.users.filter((username) => !stored.has(username))).toEqual([]);

    const half = await query(
      `SELECT username FROM user_account WHERE id NOT IN
         (SELECT user_id FROM user_role JOIN role ON role.id = role_id WHERE role.name = 'user')
       UNION ALL SELECT username FROM user_account WHERE id::text NOT IN
         (SELECT target_id FROM audit_event WHERE action = 'user.create')
       UNION ALL SELECT target_label FROM audit_event WHERE action = 'user.create' AND target_id NOT IN
         (SELECT id::text FROM user_account)
       UNION ALL SELECT id::text FROM session WHERE id NOT IN
         (SELECT session_id FROM audit_event WHERE action = 'login' AND session_id IS NOT NULL)`,
    );
    expect(half).toEqual([]);
  });
});
