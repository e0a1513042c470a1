import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { call } from '../support/http-caller';
import { Build, buildService, bundleBuild, endServiceProcesses, ServiceProcess } from '../support/service-process';
import { createProcessDatabase, ProcessDatabase } from '../support/test-database';
import { TEST_KEYS } from '../support/test-service';

jest.setTimeout(180_000);

const ROOT = resolve(__dirname, '../..');

/** Links the packages, so that some can be removed. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (name.startsWith('@') || name === '.bin') linkPackages(join(from, name), join(to, name));
    else symlinkSync(join(from, name), join(to, name));
  }
}

/** Files of the image in a folder with the same layout. */
function imageFolder(build: Build): Build {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-image-'));
  for (const part of ['dist', 'package.json', 'i18n']) {
    cpSync(join(build.folder, part), join(folder, part), { recursive: true });
  }
  linkPackages(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  execFileSync(process.execPath, [join(ROOT, 'deploy/image/slim.mjs'), '--from', folder]);
  return {
    folder,
    main: join(folder, 'dist/server/start.cjs'),
    freshFolder: () => join(folder, '.data'),
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

describe('container image', () => {
  let image: Build;
  let database: ProcessDatabase;

  beforeAll(async () => {
    const build = bundleBuild(buildService());
    image = imageFolder(build);
    build.remove();
    database = await createProcessDatabase(image.freshFolder());
  });
  afterEach(endServiceProcesses);
  afterAll(async () => {
    await database.drop();
    image.remove();
  });

  const production = (): Record<string, string> => ({
    ...database.environment,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    ENCRYPTION_KEYS: TEST_KEYS,
    PUBLIC_URL: 'https://id.example.com',
    ADMIN_PASSWORD: 'correct horse battery staple',
  });

  it('contains neither the embedded database nor build tools', () => {
    for (const name of ['@electric-sql/pglite', 'typescript', '.bin/tsc']) {
      expect(existsSync(join(image.folder, 'node_modules', name))).toBe(false);
    }
    expect(existsSync(join(image.folder, 'node_modules/pg'))).toBe(true);
  });

  it('serves in production without them', async () => {
    const service = ServiceProcess.start(image, production());
    const url = await service.ready;
    expect((await call(url, 'GET', '/health/ready')).status).toBe(200);
    expect((await call(url, 'GET', '/api/info', { headers: { host: 'id.example.com' } })).status).not.toBe(500);
    expect((await service.end('SIGTERM')).code).toBe(0);
  });

  it('runs commands without them', () => {
    const env = { PATH: process.env['PATH'], ...production() };
    const printed = execFileSync(process.execPath, ['dist/cli.js', 'migrate', 'status'], { cwd: image.folder, env });
    expect(printed.toString()).not.toBe('');
  });

  it('prints one line when DATABASE_URL is missing', async () => {
    const service = ServiceProcess.start(image, { DATA_DIR: image.freshFolder(), ENCRYPTION_KEYS: TEST_KEYS });
    expect((await service.exit).code).toBe(78);
    expect(service.stderr).toBe(
      'DATABASE_URL is missing, and the embedded database is not part of this installation; ' +
        'allowed: postgres://user:password@host:port/database\n',
    );
  });
});
