import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../migrations';
import { encryptionKey } from '../support/service/encryption-key';
import { hasServer, itOnServer } from '../support/service/on-server';
import { Build, buildService, endServiceProcesses, ServiceProcess } from '../support/service/service-process';
import { call } from '../support/service/http-caller';
import { StartingInstance } from '../support/service/starting-instance';
import { eventually } from '../support/service/eventually';
import { createProcessDatabase, createTestDatabase, TestDatabase } from '../support/service/test-database';

jest.setTimeout(180_000);

/** `TEST_ROUNDS=20` shows more. */
const ROUNDS = Number(process.env['TEST_ROUNDS'] ?? 2);

const keys = (letter: string): string => encryptionKey(`k${letter}`, letter);

describe('start', () => {
  let build: Build;

  beforeAll(() => {
    build = buildService();
  });

  afterEach(endServiceProcesses);

  afterAll(() => {
    build.remove();
  });

  const start = (environment: Record<string, string>): ServiceProcess => ServiceProcess.start(build, environment);
  const announced = ({ lines }: ServiceProcess): string[] =>
    lines.flatMap((line) => /^ {2}(?:First administrator|Password) +(\S+)$/.exec(line)?.[1] ?? []);
  const logIn = (url: string, username: string, password: string): Promise<{ status: number }> =>
    call(url, 'POST', '/api/auth/login', { body: { type: 'password', username, password } });

  (hasServer ? describe.skip : describe)('on the embedded database (skipped where TEST_DATABASE_URL is set)', () => {
    it('needs only a folder and prints the first administrator’s password once', async () => {
      const folder = build.freshFolder();
      const first = start({ DATA_DIR: folder });
      const url = await first.ready;
      const [username = '', password = '', ...more] = announced(first);
      expect(more).toEqual([]);
      expect(username).toBe('admin');
      expect((await logIn(url, username, password)).status).toBe(200);
      expect(first.lines.filter((line) => line.startsWith('{') && line.includes(password))).toEqual([]);
      expect(await first.end('SIGTERM')).toEqual({ code: 0, signal: null });
      expect(first.stderr).toBe('');

      const second = start({ DATA_DIR: folder });
      expect((await logIn(await second.ready, username, password)).status).toBe(200);
      expect(announced(second)).toEqual([]);
      expect(second.lines.join('\n')).not.toContain(password);
      await second.end('SIGTERM');
    });

    it('fails for a second process on the same folder in one line', async () => {
      const folder = build.freshFolder();
      await createProcessDatabase(folder);
      const first = start({ DATA_DIR: folder });
      const url = await first.ready;
      const second = start({ DATA_DIR: folder });
      expect((await second.exit).code).toBe(1);
      expect(second.lines).toEqual([]);
      expect(second.stderr).toMatch(
        /^The data folder \S+ is in use by process \d+ on host \S+: stop the server first\.[^\n]*\n$/,
      );
      expect((await call(url, 'GET', '/health/ready')).status).toBe(200);
      await first.end('SIGTERM');
      expect(existsSync(join(folder, 'castellan.lock'))).toBe(false);
    });
  });

  itOnServer('logs the configured address and the one it listens at', async () => {
    const { environment, drop } = await createProcessDatabase(build.freshFolder());
    const told = { HOST: '0.0.0.0', ALLOW_INSECURE_DEV: 'true', PUBLIC_URL: 'https://id.example.com' };
    const service = start({ ...environment, ...told });
    expect(await service.ready).toMatch(/^http:\/\/0\.0\.0\.0:\d+$/);
    const ready = service.lines.find((line) => line.includes('Castellan is ready')) ?? '{}';
    expect(JSON.parse(ready)).toMatchObject({ url: 'https://id.example.com' });
    await service.end('SIGTERM');
    await drop();
  });

  itOnServer('creates the first administrator with ADMIN_PASSWORD', async () => {
    const { environment, drop } = await createProcessDatabase(build.freshFolder());
    const service = start({ ...environment, ADMIN_PASSWORD: 'a better sentence' });
    expect((await logIn(await service.ready, 'admin', 'a better sentence')).status).toBe(200);
    expect(announced(service)).toEqual([]);
    await service.end('SIGTERM');
    await drop();
  });

  itOnServer('fails with keys that cannot decrypt the data', async () => {
    const { environment, drop } = await createProcessDatabase(build.freshFolder());
    const first = start({ ...environment, ENCRYPTION_KEYS: keys('a') });
    await first.ready;
    await first.end('SIGTERM');

    for (const ring of [keys('b'), encryptionKey('ka', 'b')]) {
      const wrong = start({ ...environment, ENCRYPTION_KEYS: ring });
      expect((await wrong.exit).code).toBe(78);
      expect(wrong.stderr).toMatch(/^ENCRYPTION_KEYS cannot open the signing keys in the database; allowed: [^\n]+\n$/);
    }

    const rotated = start({ ...environment, ENCRYPTION_KEYS: `${keys('b')},${keys('a')}` });
    expect((await call(await rotated.ready, 'GET', '/health/ready')).status).toBe(200);
    await rotated.end('SIGTERM');
    await drop();
  });

  (hasServer ? describe : describe.skip)(
    'several instances at once on an empty server (needs TEST_DATABASE_URL)',
    () => {
      let database: TestDatabase;
      let environment: Record<string, string>;
      let quiet: Record<string, string>;

      const emptied = async (): Promise<void> => {
        await database.query('DROP SCHEMA public CASCADE');
        await database.query('CREATE SCHEMA public');
      };

      beforeEach(async () => {
        database = await createTestDatabase();
        await emptied();
        environment = { DATABASE_URL: database.url ?? '', ENCRYPTION_KEYS: keys('a'), DATA_DIR: build.freshFolder() };
        quiet = { ...environment, ADMIN_PASSWORD: 'nothing to announce' };
      });

      afterEach(async () => {
        await endServiceProcesses();
        await database.drop();
      });

      const count = async (sql: string): Promise<number> => {
        const [row] = await database.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${sql}`);
        return row?.count ?? -1;
      };

      const migrated = async (): Promise<number> => {
        const [row] = await database.query<{ there: boolean }>(
          `SELECT to_regclass('castellan_migration') IS NOT NULL AS there`,
        );
        return row?.there === true ? count('castellan_migration') : 0;
      };

      const expectOneOfEach = async (): Promise<void> => {
        const names = '(SELECT DISTINCT name FROM castellan_migration) AS names';
        expect(await count('castellan_migration')).toBe(await count(names));
        expect(await count('role WHERE is_system')).toBe(2);
        expect(await count(`signing_key WHERE usage = 'session'`)).toBe(1);
        expect(await count('user_account')).toBe(1);
      };

      it('migrate and seed once, and all of them serve', async () => {
        const services = [1, 2, 3].map(() => start(environment));
        const urls = await Promise.all(services.map(({ ready }) => ready));
        await expectOneOfEach();

        const [username = '', password = '', ...more] = services.flatMap(announced);
        expect(more).toEqual([]);
        for (const url of urls) expect((await logIn(url, username, password)).status).toBe(200);
        for (const service of services) expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null });
      });

      it(`do so in each of ${ROUNDS} rounds`, async () => {
        const instances = await Promise.all([1, 2, 3].map(() => StartingInstance.start(build)));
        for (let round = 0; round < ROUNDS; round++) {
          await emptied();
          await Promise.all(instances.map((instance) => instance.start(quiet)));
          await expectOneOfEach();
          await Promise.all(instances.map((instance) => instance.stop()));
        }
        await Promise.all(instances.map((instance) => instance.kill()));
      });

      it('continue when the migrating one is killed at any point', async () => {
        const successors = await Promise.all([1, 2].map(() => StartingInstance.start(build)));
        for (const after of [1, 5, migrations.length]) {
          await emptied();
          const first = await StartingInstance.start(build);
          const cutOff = first.start(quiet).catch(() => undefined);
          await eventually(migrated, (done) => done >= after, 60);
          const others = successors.map((instance) => instance.start(quiet));
          await first.kill();
          await cutOff;
          await Promise.all(others);
          await expectOneOfEach();
          expect(await migrated()).toBe(migrations.length);
          await Promise.all(successors.map((instance) => instance.stop()));
        }
        await Promise.all(successors.map((instance) => instance.kill()));
      });
    },
  );
});
