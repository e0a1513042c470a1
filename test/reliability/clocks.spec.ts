import { join } from 'node:path';
import { eventually } from '../support/service/eventually';
import { call, HttpAnswer } from '../support/service/http-caller';
import { hasServer } from '../support/service/on-server';
import {
  Build,
  buildService,
  endServiceProcesses,
  PROCESS_KEYS,
  ServiceProcess,
} from '../support/service/service-process';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

jest.setTimeout(120_000);

const PASSWORD = 'correct horse battery staple';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The clock is wrong from the start and jumps at a signal, as libfaketime does. */
const skewed = (skewMs: number, jumpMs: number): Record<string, string> => ({
  NODE_OPTIONS: `--require=${join(__dirname, '../support/service/skewed-clock.cjs')}`,
  CLOCK_SKEW_MS: String(skewMs),
  CLOCK_JUMP_MS: String(jumpMs),
});

(hasServer ? describe : describe.skip)('instances with different clocks (needs TEST_DATABASE_URL)', () => {
  let build: Build;
  let database: TestDatabase;
  let names = 0;

  beforeAll(async () => {
    build = buildService();
    database = await createTestDatabase();
  });

  afterEach(endServiceProcesses);

  afterAll(async () => {
    await database.drop();
    build.remove();
  });

  const start = (more: Record<string, string> = {}): ServiceProcess =>
    ServiceProcess.start(build, {
      DATA_DIR: build.freshFolder(),
      DATABASE_URL: database.url!,
      ENCRYPTION_KEYS: PROCESS_KEYS,
      ADMIN_PASSWORD: PASSWORD,
      ...more,
    });
  const signUp = async (url: string): Promise<string> => {
    const username = `clock_${++names}`;
    const made = await call(url, 'POST', '/api/auth/register', { body: { username, password: PASSWORD } });
    expect(made.status).toBe(201);
    const body = { type: 'password', username, password: PASSWORD };
    const { status, cookie } = await call(url, 'POST', '/api/auth/login', { body });
    expect(status).toBe(200);
    return cookie;
  };
  const me = (url: string, cookie: string): Promise<HttpAnswer> => call(url, 'GET', '/api/auth/me', { cookie });
  const refreshed = async (url: string, cookie: string): Promise<string> => {
    const answer = await call(url, 'POST', '/api/auth/refresh', { cookie });
    expect(answer.status).toBe(200);
    return answer.cookie;
  };
  /** Sessions of either instance are valid on both, before and after each rotates them. */
  const agree = async (one: string, other: string): Promise<void> => {
    for (const [here, there] of [
      [one, other],
      [other, one],
    ] as const) {
      const cookie = await signUp(here);
      expect([(await me(here, cookie)).status, (await me(there, cookie)).status]).toEqual([200, 200]);
      const next = await refreshed(there, cookie);
      expect([(await me(here, next)).status, (await me(there, next)).status]).toEqual([200, 200]);
    }
  };

  it.each([
    ['five minutes ahead, then an hour back', 5 * MINUTE_MS, -HOUR_MS],
    ['five minutes behind, then an hour ahead', -5 * MINUTE_MS, HOUR_MS],
  ])("instances accept each other's sessions with a clock %s", async (_, skewMs, jumpMs) => {
    const [right, wrong] = [start(), start(skewed(skewMs, jumpMs))];
    const [one, other] = await Promise.all([right.ready, wrong.ready]);
    const offset = async (): Promise<number> => {
      await call(other, 'GET', '/health/live');
      const { time = '' } = JSON.parse(wrong.lines.at(-1) ?? '{}') as { time?: string };
      return Date.parse(time) - Date.now();
    };
    const isOff = (by: number): Promise<number> =>
      eventually(offset, (milliseconds) => Math.abs(milliseconds - by) < MINUTE_MS);
    await isOff(skewMs);
    const cookies = [await signUp(one), await signUp(other)];
    const expired = await signUp(other);
    await database.query(
      `UPDATE session SET expires_at = now() - interval '1 second'
        WHERE user_id = (SELECT id FROM user_account WHERE username = $1)`,
      [`clock_${names}`],
    );
    await agree(one, other);

    wrong.signal('SIGUSR2');
    await isOff(skewMs + jumpMs);
    for (const cookie of cookies) {
      expect([(await me(one, cookie)).status, (await me(other, cookie)).status]).toEqual([200, 200]);
      const next = await refreshed(other, cookie);
      expect((await me(one, next)).status).toBe(200);
    }
    expect([(await me(one, expired)).status, (await me(other, expired)).status]).toEqual([401, 401]);
    await agree(one, other);
  });
});
