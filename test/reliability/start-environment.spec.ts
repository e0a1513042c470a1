import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { call } from '../support/service/http-caller';
import { hasServer } from '../support/service/on-server';
import {
  Build,
  buildService,
  endServiceProcesses,
  PROCESS_KEYS,
  ServiceProcess,
} from '../support/service/service-process';
import { eventually } from '../support/service/eventually';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

jest.setTimeout(180_000);

/** What a start does before it uses its database, so on a server and embedded alike. */
describe('start with its environment', () => {
  let build: Build;

  beforeAll(() => {
    build = buildService();
  });

  afterEach(endServiceProcesses);

  afterAll(() => {
    build.remove();
  });

  const start = (environment: Record<string, string>): ServiceProcess => ServiceProcess.start(build, environment);

  it('ends cleanly on a signal while it waits for its database', async () => {
    const service = start({ DATABASE_URL: 'postgres://127.0.0.1:1/nothing', ENCRYPTION_KEYS: PROCESS_KEYS });
    await eventually(
      async () => service.lines.join('\n'),
      (text) => text.includes('waiting for it'),
      30,
    );
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(service.lines.some((line) => line.includes('Stopping'))).toBe(true);
  });

  it('reports an invalid environment with one line per problem before it changes anything', async () => {
    const folder = build.freshFolder();
    const service = start({
      DATA_DIR: folder,
      PORT: 'many',
      LOG_LEVEL: 'loud',
      ENCRYPTION_KEYS: 'key-without-an-id',
      SERVICE_SCOPE: 'Not A Scope',
      DATABASE_URL: 'postgres://postgres@127.0.0.1:5432',
      ADMIN_PASSWORD: 'password123',
    });
    expect(await service.exit).toEqual({ code: 78, signal: null });
    const lines = service.stderr.trimEnd().split('\n');
    expect(lines.map((line) => line.split(' ', 1)[0]).sort()).toEqual([
      'ADMIN_PASSWORD',
      'DATABASE_URL',
      'ENCRYPTION_KEYS',
      'LOG_LEVEL',
      'PORT',
      'SERVICE_SCOPE',
    ]);
    for (const line of lines) expect(line).toMatch(/^\S+ .+; allowed: .+$/);
    expect(service.stderr).not.toContain('key-without-an-id');
    expect(existsSync(folder)).toBe(false);
  });

  const invalidAddresses: [string, Record<string, string>, RegExp][] = [
    ['a folder that cannot be created', { DATA_DIR: '/proc/foo' }, /^DATA_DIR is "\/proc\/foo": .+; allowed: .+\n$/],
    [
      'a file in place of a folder',
      { DATA_DIR: '/etc/passwd' },
      /^DATA_DIR is "\/etc\/passwd": not a folder; allowed: .+\n$/,
    ],
    [
      'a host name of another machine',
      { HOST: '192.0.2.1', ALLOW_INSECURE_DEV: 'true' },
      /^HOST is .+; allowed: .+\n$/,
    ],
  ];
  it.each(invalidAddresses)('fails immediately in one line with %s', async (_name, environment, line) => {
    const service = start({ DATA_DIR: build.freshFolder(), ...environment });
    expect(await service.exit).toEqual({ code: 78, signal: null });
    expect(service.stderr).toMatch(line);
    expect(service.lines).toEqual([]);
  });

  it('fails with a port in use before it creates a database', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const folder = build.freshFolder();
    const service = start({ DATA_DIR: folder, PORT: String(port) });
    expect((await service.exit).code).toBe(1);
    expect(service.stderr).toMatch(/^PORT is \d+: another process listens there [^\n]+\n$/);
    expect(existsSync(folder)).toBe(false);
    holder.close();
  });

  it('is not ready while migrations by another process are pending', async () => {
    const service = start({ DATA_DIR: build.freshFolder(), DATABASE_URL: '', MIGRATE_ON_START: 'false' });
    const said = async (): Promise<string[]> =>
      service.lines.flatMap((line) => /"url":"([^"]+)","msg":"(.+)"/.exec(line)?.slice(1) ?? []);
    const [url = '', line] = await eventually(said, (found) => found.length > 0, 120);
    expect(line).toBe('Castellan listens, but is not ready: migrations are pending');
    expect((await call(url, 'GET', '/health/ready')).status).toBe(503);
    expect(await said()).toHaveLength(2);
    expect((await service.end('SIGTERM')).code).toBe(0);
  });

  it('lists everything that production requires', async () => {
    const service = start({ NODE_ENV: 'production' });
    expect((await service.exit).code).toBe(78);
    for (const name of ['DATABASE_URL', 'ENCRYPTION_KEYS', 'PUBLIC_URL']) {
      expect(service.stderr).toMatch(new RegExp(`^${name} is missing`, 'm'));
    }
  });

  (hasServer ? describe : describe.skip)('on a server (needs TEST_DATABASE_URL)', () => {
    it.each([
      ['a database that does not exist', { pathname: '/no_such_database' }, 'names a database that does not exist'],
      ['an unknown database user', { username: 'no_such_user' }, 'names a user that the server does not admit'],
    ])('fails in one line with %s', async (_name, change, problem) => {
      const url = Object.assign(new URL(process.env['TEST_DATABASE_URL'] ?? ''), change).href;
      const service = start({ DATABASE_URL: url, DATA_DIR: build.freshFolder() });
      expect(await service.exit).toEqual({ code: 78, signal: null });
      expect(service.stderr).toMatch(new RegExp(`^DATABASE_URL ${problem}; allowed: .+\\n$`));
      expect(service.lines).toEqual([]);
    });

    describe('with a role that', () => {
      const role = `castellan_poor_${process.pid}`;
      let database: TestDatabase;

      beforeEach(async () => {
        database = await createTestDatabase();
        await database.query(`CREATE ROLE ${role} LOGIN`);
      });

      afterEach(async () => {
        await endServiceProcesses();
        await database.query(`DROP OWNED BY ${role}`);
        await database.query(`DROP ROLE ${role}`);
        await database.drop();
      });

      const startPoor = (): ServiceProcess => {
        const url = Object.assign(new URL(database.url ?? ''), { username: role }).href;
        return start({ DATABASE_URL: url, DATA_DIR: build.freshFolder() });
      };

      it.each([
        ['may not create tables', 'GRANT USAGE ON SCHEMA public TO PUBLIC'],
        ['may not use the schema', 'SELECT 1'],
      ])('%s, fails and names the statement to run, which helps', async (_, prepare) => {
        await database.query('DROP SCHEMA public CASCADE');
        await database.query('CREATE SCHEMA public');
        await database.query(prepare);
        const service = startPoor();
        expect(await service.exit).toEqual({ code: 78, signal: null });
        const statement = `GRANT USAGE, CREATE ON SCHEMA public TO ${role}`;
        expect(service.stderr).toBe(
          `DATABASE_URL names the role ${role}, which lacks rights in schema public; allowed: a role with them, such as this one after: ${statement}\n`,
        );
        await database.query(statement);
        const next = startPoor();
        await next.ready;
        expect((await next.end('SIGTERM')).code).toBe(0);
      });

      it('does not own the tables, fails and names the owner', async () => {
        const service = startPoor();
        expect(await service.exit).toEqual({ code: 78, signal: null });
        const [{ owner } = { owner: '' }] = await database.query<{ owner: string }>('SELECT current_user AS owner');
        expect(service.stderr).toBe(
          `DATABASE_URL names the role ${role}, which lacks rights in schema public; allowed: ${owner}, which owns the tables, or this one after: GRANT ${owner} TO ${role}\n`,
        );
      });
    });

    it('ends cleanly and in one sentence on a signal while migrations run', async () => {
      const database = await createTestDatabase();
      await database.query('DROP SCHEMA public CASCADE');
      await database.query('CREATE SCHEMA public');
      const service = start({ DATABASE_URL: database.url ?? '', DATA_DIR: build.freshFolder() });
      const isMigrating = `SELECT to_regclass('castellan_migration') IS NOT NULL AS begun`;
      await eventually(
        () => database.query<{ begun: boolean }>(isMigrating),
        ([row]) => row?.begun === true,
        60,
      );
      expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null });
      expect(service.stderr).toBe('');
      const messages = service.lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
      expect(messages.slice(-2)).toEqual([
        'Stopping',
        'Stopped before the database was ready: the next start continues',
      ]);
      await database.drop();
    });
  });

  it('ends cleanly and in one sentence on a signal while an embedded database is prepared', async () => {
    const folder = build.freshFolder();
    const service = start({ DATA_DIR: folder, DATABASE_URL: '' });
    await eventually(async () => existsSync(join(folder, 'encryption-keys')), Boolean, 60);
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(service.stderr).toBe('');
    expect(service.lines.at(-1)).toContain('Stopped before the database was ready');
  });
});
