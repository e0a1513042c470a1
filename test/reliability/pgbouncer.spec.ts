import { ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';
import { eventually, PASSWORD, TestService } from '../support/service/test-service';

const PGBOUNCER = '/usr/sbin/pgbouncer';
const needed = process.env['TEST_DATABASE_URL'] !== undefined && existsSync(PGBOUNCER);
// eslint-disable-next-line no-console -- a test that is not run says why
if (!needed) console.info('Not run: PgBouncer needs TEST_DATABASE_URL and the Debian package pgbouncer');

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => {
        resolve(port);
      });
    });
  });

async function answering(url: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

interface Pooler {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts PgBouncer in transaction mode in front of `target`. @param more overriding configuration */
async function startPooler(target: URL, more: Readonly<Record<string, number>> = {}): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), 'castellan-pgbouncer-'));
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(join(folder, 'users.txt'), `"${target.username}" "${target.password}"\n`);
  await writeFile(
    file,
    `[databases]\n* = host=${target.hostname} port=${target.port || 5432}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n` +
      `unix_socket_dir =\nauth_type = trust\nauth_file = ${join(folder, 'users.txt')}\npool_mode = transaction\n` +
      `default_pool_size = ${more['default_pool_size'] ?? 5}\nmax_client_conn = ${more['max_client_conn'] ?? 200}\n` +
      `query_wait_timeout = ${more['query_wait_timeout'] ?? 120}\nuser = postgres\n`,
  );
  await chmod(folder, 0o755);
  const child: ChildProcess = spawn(PGBOUNCER, ['-q', file], { stdio: 'ignore' });
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  await answering(url.toString());
  return {
    url: url.toString(),
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

(needed ? describe : describe.skip)('PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pooler: Pooler;
  let service: TestService;

  beforeAll(async () => {
    database = await createTestDatabase();
    pooler = await startPooler(new URL(database.url!));
    service = await TestService.start({
      environment: { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url! },
    });
  });

  afterAll(async () => {
    await service.stop();
    await pooler.stop();
    await database.drop();
  });

  it('serves thirty concurrent session lifecycles over five connections', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const user = await service.signUp(`pooled_${index}`);
        const refreshed = await user.post('/api/auth/refresh');
        const me = await user.get('/api/auth/me');
        const out = await user.post('/api/auth/logout');
        return [refreshed.status, me.status, out.status];
      }),
    );
    expect(outcomes).toEqual(Array.from({ length: 30 }, () => [200, 200, 204]));
  });
});

(needed ? describe : describe.skip)('PgBouncer without free connections', () => {
  let database: TestDatabase;
  let pooler: Pooler;
  let service: TestService;
  let others: Client[];

  beforeEach(async () => {
    database = await createTestDatabase();
    others = [];
  });

  afterEach(async () => {
    await Promise.all(others.map((client) => client.end().catch(() => undefined)));
    await service.stop();
    await pooler.stop();
    await database.drop();
  });

  const start = async (more: Readonly<Record<string, number>>): Promise<void> => {
    pooler = await startPooler(new URL(database.url!), more);
    const environment = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url! };
    service = await TestService.start({ environment });
  };

  const another = async (): Promise<Client> => {
    const client = new Client({ connectionString: pooler.url });
    client.on('error', () => undefined);
    await client.connect();
    others.push(client);
    return client;
  };

  const register = async (name: string): Promise<number> =>
    (await service.client().post('/api/auth/register', { username: name, password: PASSWORD })).status;

  /** The instance stays ready, the log names the exhausted resource, and rejected requests are counted. */
  const expectReportedAsBusy = async (): Promise<void> => {
    const client = service.client();
    client.address = '127.0.0.1';
    expect((await client.get('/health/ready')).status).toBe(200);
    await eventually(
      async () => service.logLines,
      (lines) => lines.some((line) => line.includes('connections to the database are busy')),
    );
    expect(service.logLines.filter((line) => line.includes('out of reach'))).toEqual([]);
    expect((await client.get('/metrics', { remoteAddress: '127.0.0.1' })).text).toMatch(
      /^castellan_database_busy_total [1-9]/m,
    );
  };

  it('reports the database as busy when connections time out', async () => {
    await start({ default_pool_size: 1, query_wait_timeout: 1 });
    const holder = await another();
    await holder.query('BEGIN');
    await holder.query('SELECT 1');
    expect(await register('too_late')).toBe(503);
    await expectReportedAsBusy();
  });

  it('reports the database as busy when new clients are rejected', async () => {
    await start({ max_client_conn: 12 });
    const isFull = (): Promise<boolean> =>
      another().then(
        () => false,
        (error: unknown) => /no more connections/.test(String(error)),
      );
    await eventually(isFull, Boolean);
    const statuses = await Promise.all(Array.from({ length: 15 }, (_, count) => register(`one_of_${count}`)));
    expect(statuses).toContain(503);
    await expectReportedAsBusy();
  });
});
