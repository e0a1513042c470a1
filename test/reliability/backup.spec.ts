import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Configuration, refreshTokenGrant } from 'openid-client';
import { Client } from 'pg';
import { rateLimitsEnabled } from '../../src/platform/http';
import { commandsUnder, runCommands } from '../support/documents/documented-commands';
import { eventually } from '../support/service/eventually';
import { INCOMPLETE_ROWS } from '../support/service/incomplete-rows';
import { logInAt, register, Registered, relyingParty } from '../support/oauth/oauth';
import { describeWithPostgres, PostgresServer } from '../support/servers/postgres-server';
import { Build, buildService } from '../support/service/service-process';
import { TestClient } from '../support/service/test-client';
import { TEST_KEYS, TestService } from '../support/service/test-service';

jest.setTimeout(300_000);

const [DUMP = ''] = commandsUnder('Back up', 1);
const [RESTORE = ''] = commandsUnder('Restore a backup', 1);
const [EXPORT = '', REVOKE_ALL = '', REVOKE_SINCE = ''] = commandsUnder('End what a restore revives', 3);
const LOOPS = 4;
const SCOPE = { scope: 'openid offline_access' };

interface AuditEvent {
  readonly id: string;
  readonly event: string;
}

/** A state of the service, and what happened before and after its dump. */
interface History {
  readonly client: Registered;
  readonly refreshToken: string;
  readonly jwks: unknown;
  /** Audit events from before the dump. */
  readonly audited: readonly AuditEvent[];
  readonly backupTime: string;
  /** Between the first logins and the latest ones before the dump. */
  readonly since: string;
  readonly live: TestClient;
  readonly latest: TestClient;
  readonly endedLater: TestClient;
  readonly refreshedLater: TestClient;
}

describeWithPostgres('a restored backup', () => {
  let server: PostgresServer;
  let build: Build;
  let service: TestService;
  let history: History;
  const restored: TestService[] = [];
  let databases = 0;
  let users = 0;

  const urlOf = (database: string): string => server.url.replace(/postgres$/, database);
  const start = (database: string): Promise<TestService> =>
    TestService.start({ environment: { DATABASE_URL: urlOf(database) } });
  const me = async (on: TestService, { cookie }: TestClient): Promise<number> =>
    (await new TestClient(on.app).get('/api/auth/me', { cookie })).status;
  const refresh = async (on: TestService, { cookie }: TestClient): Promise<number> =>
    (await new TestClient(on.app).post('/api/auth/refresh', undefined, { cookie })).status;
  const party = (on: TestService): Promise<Configuration> => relyingParty(() => on, history.client);
  const jwksOf = async (on: TestService): Promise<unknown> => (await on.client().get('/.well-known/jwks.json')).body;

  async function query<T>(database: string, sql: string): Promise<T[]> {
    const client = new Client({ connectionString: urlOf(database) });
    await client.connect();
    try {
      return (await client.query(sql)).rows as T[];
    } finally {
      await client.end();
    }
  }

  const eventsOf = (database: string): Promise<AuditEvent[]> =>
    query(database, 'SELECT id, to_jsonb(audit_event)::text AS event FROM audit_event');

  /** Runs commands of the page in the folder of the built service, where an operator would. */
  const run = (commands: string, environment: Record<string, string> = {}): Promise<string> =>
    runCommands(commands.replaceAll('castellan_restored', `restored_${databases}`), {
      cwd: build.folder,
      env: {
        PGHOST: '127.0.0.1',
        PGPORT: new URL(server.url).port,
        PGUSER: 'postgres',
        NODE_ENV: 'test',
        ENCRYPTION_KEYS: TEST_KEYS,
        DATABASE_URL: urlOf('castellan'),
        ...environment,
      },
    });

  async function restore(): Promise<string> {
    databases++;
    await run(RESTORE);
    return `restored_${databases}`;
  }

  async function startRestored(database: string): Promise<TestService> {
    const instance = await start(database);
    restored.push(instance);
    return instance;
  }

  /** Registrations, logins, refreshes and logouts until `isOver`. Returns their number. */
  async function work(isOver: () => boolean): Promise<number> {
    let acts = 0;
    while (!isOver()) {
      const user = await service.signUp(`loaded_${users++}`);
      expect((await user.post('/api/auth/refresh')).status).toBe(200);
      if (users % 2 === 0) expect((await user.post('/api/auth/logout')).status).toBe(204);
      acts += 4;
    }
    return acts;
  }

  async function dumpUnderLoad(): Promise<void> {
    let isOver = false;
    const loops = Array.from({ length: LOOPS }, () => work(() => isOver));
    await eventually(
      async () => users,
      (count) => count > 2 * LOOPS,
      60,
    );
    const before = users;
    await run(DUMP).finally(() => (isOver = true));
    await Promise.all(loops);
    expect(users).toBeGreaterThan(before);
  }

  async function liveThrough(): Promise<History> {
    const admin = await service.admin();
    const client = await register(admin);
    const [live, endedLater, refreshedLater] = await Promise.all([
      service.signUp('ann'),
      service.signUp('bob'),
      service.signUp('cam'),
    ]);
    const tokens = await logInAt(await relyingParty(() => service, client), live, SCOPE);
    const since = new Date().toISOString();
    const latest = await service.signUp('dan');
    const backupTime = new Date().toISOString();
    const audited = await eventsOf('castellan');
    await dumpUnderLoad();

    await endedLater.post('/api/auth/logout', undefined, { cookie: endedLater.cookie });
    expect(await me(service, endedLater)).toBe(401);
    return {
      ...{ client, audited, backupTime, since, live, latest, endedLater, refreshedLater },
      refreshToken: tokens.refresh_token!,
      jwks: await jwksOf(service),
    };
  }

  beforeAll(async () => {
    server = await PostgresServer.started();
    build = buildService();
    await server.query('CREATE ROLE castellan LOGIN');
    await server.query('CREATE DATABASE castellan OWNER castellan');
    service = await start('castellan');
    await service.set(rateLimitsEnabled, false);
    history = await liveThrough();
  });
  afterAll(async () => {
    for (const instance of restored) await instance.stop();
    await service.stop();
    await server.remove();
    build.remove();
  });

  it('is one consistent state, although it was dumped under load', async () => {
    const database = await restore();
    expect(await query(database, INCOMPLETE_ROWS)).toEqual([]);
    const original = new Set((await eventsOf('castellan')).map(({ event }) => event));
    const kept = await eventsOf(database);
    expect(kept.filter(({ event }) => !original.has(event))).toEqual([]);
    const ids = new Set(kept.map(({ id }) => id));
    expect(history.audited.length).toBeGreaterThan(5);
    expect(history.audited.filter(({ id }) => !ids.has(id))).toEqual([]);
    await expect(query(database, `UPDATE audit_event SET action = 'x'`)).rejects.toThrow();
  });

  it('continues sessions, signing keys, tokens of clients and the audit on a second service', async () => {
    const instance = await startRestored(await restore());
    expect(await jwksOf(instance)).toEqual(history.jwks);
    expect(await me(instance, history.live)).toBe(200);
    expect(await refresh(instance, history.live)).toBe(200);
    const tokens = await refreshTokenGrant(await party(instance), history.refreshToken);
    expect(tokens.access_token).toBeDefined();
    await instance.logIn('dan');
    const events = await query<{ count: string }>(
      `restored_${databases}`,
      `SELECT count(*) FROM audit_event WHERE action = 'login' AND at > '${history.backupTime}'`,
    );
    expect(Number(events[0]?.count)).toBeGreaterThan(0);
  });

  it('revives ended sessions until they are revoked, and the old audit shows them', async () => {
    const database = await restore();
    const instance = await startRestored(database);
    expect(await me(instance, history.endedLater)).toBe(200);

    // As step 4 of the installation sets it for every later command of the page.
    const file = join(build.folder, 'database_url');
    writeFileSync(file, urlOf(database));
    const there = { DATABASE_URL: '', DATABASE_URL_FILE: file };
    await run(EXPORT, { ...there, OLD_DATABASE_URL: urlOf('castellan'), BACKUP_TIME: history.backupTime });
    const lines = readFileSync(join(build.folder, 'since-backup.ndjson'), 'utf8').trim().split('\n');
    const ended = lines.map((line) => JSON.parse(line) as { action: string; actor: { username: string } | null });
    expect(ended.filter(({ action }) => action === 'session.logout').map(({ actor }) => actor?.username)).toContain(
      'bob',
    );

    await run(REVOKE_SINCE, { ...there, SINCE: history.since });
    await eventually(
      () => me(instance, history.latest),
      (status) => status === 401,
    );
    expect(await me(instance, history.endedLater)).toBe(200);
    await run(REVOKE_ALL, there);
    for (const client of [history.endedLater, history.live]) {
      await eventually(
        () => me(instance, client),
        (status) => status === 401,
      );
    }
    await expect(refreshTokenGrant(await party(instance), history.refreshToken)).rejects.toThrow();
  });

  it('refuses the tokens of a session that was refreshed since', async () => {
    const replaced = history.refreshedLater.cookie;
    expect((await history.refreshedLater.post('/api/auth/refresh')).status).toBe(200);
    const instance = await startRestored(await restore());
    expect(await refresh(instance, history.refreshedLater)).toBe(401);
    const again = await new TestClient(instance.app).post('/api/auth/refresh', undefined, { cookie: replaced });
    expect(again.status).toBe(200);
  });

  it('serves a version that does not know its last migration, if that only adds', async () => {
    const database = await restore();
    await query(database, 'ALTER TABLE session ADD later text');
    await query(
      database,
      `INSERT INTO castellan_migration (timestamp, name) VALUES (9999999999999, 'Later9999999999999')`,
    );
    const instance = await startRestored(database);
    expect((await instance.client().get('/health/ready')).body).toMatchObject({ checks: { migrations: 'ok' } });
    expect(await refresh(instance, history.live)).toBe(200);
  });
});
