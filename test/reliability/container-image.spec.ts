import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { call } from '../support/service/http-caller';
import { endServiceProcesses, PROCESS_KEYS, ServiceProcess } from '../support/service/service-process';
import { createProcessDatabase, ProcessDatabase } from '../support/service/test-database';

jest.setTimeout(1_200_000);

const ROOT = resolve(__dirname, '../..');

/** What `scripts/image-files.mjs` prints. */
interface ImageFiles {
  /** The image's working directory. */
  readonly folder: string;
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly user: string;
}

/** Follows the Dockerfile with the installed packages, which `npm ci` took from the same lock file. */
function buildImageFiles(folder: string): ImageFiles {
  const script = join(ROOT, 'scripts/image-files.mjs');
  const printed = execFileSync(process.execPath, [script, '--installed', '--out', join(folder, 'image')]);
  return JSON.parse(printed.toString()) as ImageFiles;
}

/** Path, size and time of the last change of each file. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => {
    const { size, mtimeMs } = lstatSync(join(folder, path));
    return `${path} ${size} ${mtimeMs}`;
  });
}

/*
 * Starts the service from the files that the Dockerfile leaves in the image. A container runtime is needed to test the
 * rest, which no test covers: the base image (its Node.js, C library and certificates, and that npm is removed), the
 * rights of the user `node`, --read-only, signals to process 1, EXPOSE, the labels, the times of the health check, and
 * an installation by `npm ci` without packages from outside.
 */
describe('container image', () => {
  let folder: string;
  let image: ImageFiles;
  let database: ProcessDatabase;

  beforeAll(async () => {
    // Outside the project, whose packages Node.js would find too.
    folder = mkdtempSync(join(tmpdir(), 'castellan-image-'));
    image = buildImageFiles(folder);
    database = await createProcessDatabase(join(folder, 'data'));
  });
  afterEach(endServiceProcesses);
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const production = (): Record<string, string> => ({
    ...image.environment,
    ...database.environment,
    HOST: '127.0.0.1',
    ENCRYPTION_KEYS: PROCESS_KEYS,
    PUBLIC_URL: 'https://id.example.com',
    ALLOWED_HOSTS: '127.0.0.1',
    ADMIN_PASSWORD: 'correct horse battery staple',
  });
  const start = (environment: Record<string, string>): ServiceProcess => {
    const [program, main = ''] = image.command;
    expect(program).toBe('node');
    return ServiceProcess.start({ folder: image.folder, main }, environment);
  };
  const healthOf = (url: string): number => {
    const [program, ...rest] = image.healthcheck;
    expect(program).toBe('node');
    try {
      execFileSync(process.execPath, rest, { env: { PATH: process.env['PATH'], PORT: new URL(url).port } });
      return 0;
    } catch (error) {
      return (error as { status: number }).status;
    }
  };

  it('contains the build, the packages and the texts only', () => {
    expect(readdirSync(image.folder).sort()).toEqual(['dist', 'i18n', 'node_modules', 'package.json']);
  });

  it('contains neither the embedded database nor build tools nor packages for development', () => {
    for (const name of ['@electric-sql/pglite', 'typescript', '.bin/tsc', 'jest', '@nestjs/cli']) {
      expect(existsSync(join(image.folder, 'node_modules', name))).toBe(false);
    }
    expect(existsSync(join(image.folder, 'node_modules/pg'))).toBe(true);
  });

  it('runs as a user without privileges in production mode', () => {
    expect(image.user).toBe('node');
    expect(image.environment['NODE_ENV']).toBe('production');
  });

  it('serves the API and the pages, and writes no file', async () => {
    const before = filesBelow(image.folder);
    const service = start(production());
    const url = await service.ready;
    expect((await call(url, 'GET', '/health/ready')).status).toBe(200);
    for (const path of ['/api/info', '/login', '/admin']) {
      const { status } = await fetch(`${url}${path}`);
      expect({ path, status }).toEqual({ path, status: 200 });
    }
    expect((await service.end('SIGTERM')).code).toBe(0);
    expect(filesBelow(image.folder)).toEqual(before);
  });

  it('reports the health of the service by the exit code of its health check', async () => {
    const service = start(production());
    const url = await service.ready;
    expect(healthOf(url)).toBe(0);
    await service.end('SIGTERM');
    expect(healthOf(url)).toBe(1);
  });

  it('runs commands', () => {
    const env = { PATH: process.env['PATH'], ...production() };
    const printed = execFileSync(process.execPath, ['dist/cli.js', 'migrate', 'status'], { cwd: image.folder, env });
    expect(printed.toString()).not.toBe('');
  });

  it('prints one line when DATABASE_URL is missing', async () => {
    const service = start({ DATA_DIR: join(folder, 'none'), ENCRYPTION_KEYS: PROCESS_KEYS });
    expect((await service.exit).code).toBe(78);
    expect(service.stderr).toBe(
      'DATABASE_URL is missing, and the embedded database is not part of this installation; ' +
        'allowed: postgres://user:password@host:port/database, ' +
        'or in development nothing, after npm install @electric-sql/pglite\n',
    );
  });
});
