import { BrokenConnectionError, call } from '../support/service/http-caller';
import { SessionVersion, versionOf } from '../support/accounts/session-tokens';
import { encryptionKey } from '../support/service/encryption-key';
import { Build, buildService, endServiceProcesses, ServiceProcess } from '../support/service/service-process';
import { INCOMPLETE_ROWS } from '../support/service/incomplete-rows';
import { createProcessDatabase, ProcessDatabase } from '../support/service/test-database';

jest.setTimeout(300_000);

const ROUNDS = 5;
/** Acknowledged registrations, logins, refreshes, logouts and setting changes before each kill. */
const ACTS_A_ROUND = 110;
const FEWEST_SESSIONS = 15;
const PASSWORD = 'correct horse battery staple';
const KEYS = encryptionKey('test', 'k');

interface CachedSession extends SessionVersion {
  cookie: string;
}

/** Work that the service has acknowledged. */
class Ledger {
  acts = 0;
  batch = 0;
  readonly users: string[] = [];
  /** Latest cookies of acknowledged sessions. */
  readonly sessions = new Map<string, CachedSession>();
  readonly ended = new Set<string>();
  private readonly taken = new Set<string>();

  knows(cookie: string): void {
    const token = /iam_refresh=([^;]+)/.exec(cookie)?.[1] ?? '';
    const version = versionOf(token);
    this.sessions.set(version.sessionId, { ...version, cookie });
  }

  /** Takes a session out of use by others. */
  take(): CachedSession | undefined {
    const free = [...this.sessions.values()].find(({ sessionId }) => !this.taken.has(sessionId));
    if (free) this.taken.add(free.sessionId);
    return free;
  }

  putBack({ sessionId }: CachedSession): void {
    this.taken.delete(sessionId);
    // Appends at the end, so that every session is used in turn.
    const known = this.sessions.get(sessionId);
    if (known && this.sessions.delete(sessionId)) this.sessions.set(sessionId, known);
  }
}

describe('kill -9 during work', () => {
  let build: Build;
  let database: ProcessDatabase;
  let environment: Record<string, string>;
  let names = 0;

  beforeAll(async () => {
    build = buildService();
    database = await createProcessDatabase(build.freshFolder());
    environment = { ...database.environment, ENCRYPTION_KEYS: KEYS, ADMIN_PASSWORD: PASSWORD };
  });

  afterAll(async () => {
    await endServiceProcesses();
    await database.drop();
    build.remove();
  });

  const loginOf = (username: string): object => ({ type: 'password', username, password: PASSWORD });

  const register = async (url: string, ledger: Ledger): Promise<void> => {
    const username = `crash_${++names}`;
    const { status } = await call(url, 'POST', '/api/auth/register', { body: { username, password: PASSWORD } });
    expect(status).toBe(201);
    ledger.users.push(username);
  };

  const logIn = async (url: string, ledger: Ledger): Promise<void> => {
    const username = ledger.users[Math.floor(Math.random() * ledger.users.length)] ?? 'admin';
    const { status, cookie } = await call(url, 'POST', '/api/auth/login', { body: loginOf(username) });
    expect(status).toBe(200);
    ledger.knows(cookie);
  };

  const refresh = async (url: string, ledger: Ledger): Promise<void> => {
    const session = ledger.take();
    if (!session) return logIn(url, ledger);
    const { status, cookie } = await call(url, 'POST', '/api/auth/refresh', { cookie: session.cookie });
    expect(status).toBe(200);
    ledger.knows(cookie);
    ledger.putBack(session);
  };

  const logOut = async (url: string, ledger: Ledger): Promise<void> => {
    const session = ledger.sessions.size > FEWEST_SESSIONS ? ledger.take() : undefined;
    if (!session) return logIn(url, ledger);
    // Until it is acknowledged, the act may or may not have happened.
    ledger.sessions.delete(session.sessionId);
    const { status } = await call(url, 'POST', '/api/auth/logout', { cookie: session.cookie });
    expect(status).toBe(204);
    ledger.ended.add(session.sessionId);
  };

  const changeSettings = async (url: string, ledger: Ledger, cookie: string): Promise<void> => {
    const batch = ++names;
    const updates = [
      { key: 'app.name', value: `Batch ${batch}` },
      { key: 'app.primary_color', value: `#${batch.toString().padStart(6, '0')}` },
    ];
    const { status } = await call(url, 'PUT', '/api/setting', { body: { updates }, cookie });
    expect(status).toBe(200);
    ledger.batch = batch;
  };

  /** Repeats `step` until the connection breaks. The ledger contains all acknowledged work. */
  const workUntilItBreaks = async (ledger: Ledger, step: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        await step();
        ledger.acts++;
      } catch (error) {
        if (error instanceof BrokenConnectionError) return;
        throw error;
      }
    }
  };

  const hammer = async (service: ServiceProcess, url: string, ledger: Ledger): Promise<void> => {
    const { cookie } = await call(url, 'POST', '/api/auth/login', { body: loginOf('admin') });
    const enough = ledger.acts + ACTS_A_ROUND;
    const steps = [register, register, logIn, logIn, refresh, refresh, refresh, logOut];
    const work = [...steps, (...where: [string, Ledger]) => changeSettings(...where, cookie)];
    const killed = (async () => {
      while (ledger.acts < enough) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 50));
      await service.end('SIGKILL');
    })();
    await Promise.all([...work.map((step) => workUntilItBreaks(ledger, () => step(url, ledger))), killed]);
  };

  const verify = async (url: string, { users, sessions }: Ledger): Promise<void> => {
    const [newest = 'admin'] = users.slice(-1);
    expect((await call(url, 'POST', '/api/auth/login', { body: loginOf(newest) })).status).toBe(200);
    for (const { sessionId, cookie } of [...sessions.values()].slice(-5)) {
      const { status } = await call(url, 'POST', '/api/auth/refresh', { cookie });
      expect({ sessionId, status }).toEqual({ sessionId, status: 200 });
      sessions.delete(sessionId);
    }
  };

  it('loses no acknowledged write and leaves none half done', async () => {
    const ledger = new Ledger();
    for (let round = 0; round < ROUNDS; round++) {
      const service = ServiceProcess.start(build, environment);
      const url = await service.ready;
      await verify(url, ledger);
      await hammer(service, url, ledger);
    }
    const last = ServiceProcess.start(build, environment);
    await verify(await last.ready, ledger);
    expect(await last.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(ledger.acts).toBeGreaterThanOrEqual(500);
    expect(Math.min(ledger.users.length, ledger.sessions.size, ledger.ended.size)).toBeGreaterThanOrEqual(10);

    const query = <T>(sql: string): Promise<T[]> => database.query<T>(sql);
    const kept = new Set(
      (await query<{ username: string }>('SELECT username FROM user_account')).map((row) => row.username),
    );
    expect(ledger.users.filter((username) => !kept.has(username))).toEqual([]);

    const rows = await query<{ id: string; counter: number; revoked: boolean }>(
      'SELECT id, counter, revoked_at IS NOT NULL AS revoked FROM session',
    );
    const stored = new Map(rows.map((row) => [row.id, row]));
    expect([...ledger.ended].filter((id) => stored.get(id)?.revoked !== true)).toEqual([]);
    const lost = [...ledger.sessions.values()].filter(({ sessionId, counter }) => {
      const row = stored.get(sessionId);
      return !row || row.revoked || row.counter < counter;
    });
    expect(lost).toEqual([]);

    const [name, color] = await query<{ value: string }>(
      `SELECT value FROM setting WHERE key IN ('app.name', 'app.primary_color') ORDER BY key`,
    );
    const batch = Number(/\d+/.exec(JSON.stringify(name?.value))?.[0]);
    expect(Number(/\d+/.exec(JSON.stringify(color?.value))?.[0])).toBe(batch);
    expect(batch).toBeGreaterThanOrEqual(ledger.batch);

    expect(await query(INCOMPLETE_ROWS)).toEqual([]);
  });
});
