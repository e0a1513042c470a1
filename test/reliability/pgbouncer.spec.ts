import { ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createTestDatabase, TestDatabase } from '../support/test-database';
import { TestService } from '../support/test-service';

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

/** PgBouncer in transaction mode before the server of `target`. */
async function startPooler(target: URL): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'castellan-pgbouncer-'));
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(join(folder, 'users.txt'), `"${target.username}" "${target.password}"\n`);
  await writeFile(
    file,
    `[databases]\n* = host=${target.hostname} port=${target.port || 5432}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n` +
      `unix_socket_dir =\nauth_type = trust\nauth_file = ${join(folder, 'users.txt')}\npool_mode = transaction\n` +
      `default_pool_size = 5\nmax_client_conn = 200\nuser = postgres\n`,
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

(needed ? describe : describe.skip)('behind PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pooler: Awaited<ReturnType<typeof startPooler>>;
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

  it('serves the life of sessions, thirty at once over five connections', async () => {
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
