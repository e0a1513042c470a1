import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { blocksOf, commandsUnder, runCommands } from '../support/documents/documented-commands';
import { eventually } from '../support/service/eventually';
import { describeWithPostgres, owner, PostgresServer, postgresPrograms } from '../support/servers/postgres-server';
import { freePort } from '../support/servers/redis-server';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';

jest.setTimeout(300_000);

const [BASE_BACKUP = '', RESTORE = ''] = commandsUnder('Restore to a point in time', 2);

describeWithPostgres('a restore to a point in time', () => {
  let folder: string;
  let server: PostgresServer;
  let port: number;
  let service: TestService;
  let restored: TestService;
  let alice: TestClient;
  let bob: TestClient;
  let moment: string;

  const here = (text: string): string => text.replaceAll('/srv/castellan', folder);
  const start = (serverPort: number | string): Promise<TestService> =>
    TestService.start({ environment: { DATABASE_URL: `postgres://castellan@127.0.0.1:${serverPort}/castellan` } });

  /** Runs a command of the page as `postgres`, where the server uses the port. */
  const run = (text: string, serverPort: number | string, environment: Record<string, string> = {}): Promise<string> =>
    runCommands(here(text), {
      cwd: folder,
      user: owner(),
      env: {
        PATH: `${postgresPrograms ?? ''}:${process.env['PATH']}`,
        PGHOST: '127.0.0.1',
        PGPORT: String(serverPort),
        PGUSER: 'postgres',
        ...environment,
      },
    });

  const me = async ({ cookie }: TestClient): Promise<number> =>
    (await new TestClient(restored.app).get('/api/auth/me', { cookie })).status;

  async function archiveFromNowOn(): Promise<void> {
    const [block] = blocksOf('sql').filter(({ heading }) => heading === 'Restore to a point in time');
    for (const statement of here(block!.text).trim().split('\n')) await server.query(statement);
    await server.crash();
    await server.start();
  }

  /** Completes the segment of the log that holds everything so far. */
  async function untilArchived(): Promise<void> {
    const [row] = await server.query<{ name: string }>('SELECT pg_walfile_name(pg_current_wal_lsn()) AS name');
    await server.query('SELECT pg_switch_wal()');
    await eventually(
      () => server.query<{ last: string }>('SELECT last_archived_wal AS last FROM pg_stat_archiver'),
      ([archived]) => (archived?.last ?? '') >= row!.name,
      60,
    );
  }

  async function untilPromoted(): Promise<void> {
    const connectionString = `postgres://postgres@127.0.0.1:${port}/castellan`;
    await eventually(
      async () => {
        const client = new Client({ connectionString });
        await client.connect();
        const { rows } = await client.query<{ waits: boolean }>('SELECT pg_is_in_recovery() AS waits');
        await client.end();
        return rows[0]?.waits;
      },
      (waits) => waits === false,
      60,
    );
  }

  beforeAll(async () => {
    const user = owner();
    folder = mkdtempSync(join(tmpdir(), 'castellan-moment-'));
    mkdirSync(join(folder, 'wal'));
    for (const path of [folder, join(folder, 'wal')]) chownSync(path, user.uid ?? -1, user.gid ?? -1);
    [server, port] = [await PostgresServer.started(), await freePort()];
    await server.query('CREATE ROLE castellan LOGIN');
    await server.query('CREATE DATABASE castellan OWNER castellan');
    await archiveFromNowOn();
    const ownPort = new URL(server.url).port;
    service = await start(ownPort);
    alice = await service.signUp('alice');
    await run(BASE_BACKUP, ownPort);
    bob = await service.signUp('bob');
    const [row] = await server.query<{ now: string }>('SELECT clock_timestamp()::text AS now');
    moment = row!.now;
    await alice.post('/api/auth/logout', undefined, { cookie: alice.cookie });
    await service.signUp('carl');
    await untilArchived();
    await run(RESTORE, port, { RESTORE_TIME: moment });
    await untilPromoted();
    restored = await start(port);
  });
  afterAll(async () => {
    await restored.stop();
    await service.stop();
    await run('pg_ctl --pgdata=/srv/castellan/restored --mode=immediate stop', port);
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('contains everything until then, and nothing later', async () => {
    expect(await me(bob)).toBe(200);
    const later = { type: 'password', username: 'carl', password: 'correct horse battery staple' };
    expect((await restored.client().post('/api/auth/login', later)).status).toBe(401);
    const jwks = async (on: TestService): Promise<unknown> => (await on.client().get('/.well-known/jwks.json')).body;
    expect(await jwks(restored)).toEqual(await jwks(service));
  });

  it('revives a session that ended later', async () => {
    expect((await new TestClient(service.app).get('/api/auth/me', { cookie: alice.cookie })).status).toBe(401);
    expect(await me(alice)).toBe(200);
  });
});
