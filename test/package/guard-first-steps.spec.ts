import { transformFile } from '@swc/core';
import { ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ADMIN_LOGIN, builtService } from '../support/service/built-service';
import { eventually } from '../support/service/eventually';
import { freePort } from '../support/servers/redis-server';

const run = promisify(execFile);
const root = join(__dirname, '../..');
const TITLE = '## First steps';
/** What the reader of the guide has: Nest on Express, and TypeScript with decorators. */
const PACKAGES = ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'reflect-metadata', 'rxjs'];

const MEGABYTE = 1_000_000;

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;

async function sizeOf(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(files.map((file) => stat(join(folder, file))));
  return sizes.reduce((sum, found) => sum + (found.isFile() ? found.size : 0), 0);
}

/** Installs the packed guard as npm does, with dependencies of the repository, so that no network is needed. */
async function installGuard(modules: string): Promise<void> {
  await run('npm', ['run', '-s', 'build:guard'], { cwd: root });
  const work = await mkdtemp(join(root, '.tmp', 'guard-tarball-'));
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', work], { cwd: join(root, 'packages/guard') });
  const [tarball = ''] = await readdir(work);
  const guard = join(modules, 'castellan-guard');
  await mkdir(guard, { recursive: true });
  await run('tar', ['xzf', join(work, tarball), '-C', guard, '--strip-components=1']);
  await rm(work, { recursive: true, force: true });
  const { dependencies = {} } = await manifestOf(guard);
  for (const name of Object.keys(dependencies)) await symlink(join(root, 'node_modules', name), join(modules, name));
}

/** Code blocks of the section. */
async function section(): Promise<{ shell: string[]; code: string }> {
  const guide = await readFile(join(root, 'docs/guides/guard-for-other-services.md'), 'utf8');
  const text = guide.slice(guide.indexOf(TITLE) + TITLE.length).split(/^## /m)[0] ?? '';
  const blocks = (kind: string): string[] =>
    Array.from(text.matchAll(new RegExp(`\`\`\`${kind}\n([^]*?)\`\`\``, 'g')), ([, block = '']) => block);
  return { shell: blocks('sh'), code: blocks('ts')[0] ?? '' };
}

describe('the first steps of a guard in another service', () => {
  const service = builtService();
  let folder: string;
  let app: ChildProcess | undefined;
  let castellan: string;
  let port: number;

  /** Replaces the addresses, which other processes of this machine may use. */
  const placed = (text: string): string =>
    text
      .replaceAll('http://127.0.0.1:4000', castellan)
      .replaceAll('http://127.0.0.1:3001', `http://127.0.0.1:${port}`)
      .replaceAll('listen(3001)', `listen(${port}, '127.0.0.1')`);

  const shell = async (commands: string): Promise<string> =>
    (
      await run('bash', ['-c', placed(commands)], {
        cwd: folder,
        env: { ...process.env, ADMIN_PASSWORD: ADMIN_LOGIN.password },
      })
    ).stdout;

  const call = async (commands: string): Promise<string> => shell(`${commands.trimEnd()} -w ' %{http_code}'`);

  beforeAll(async () => {
    castellan = await service.start().ready;
    port = await freePort();
    folder = await mkdtemp(join(root, '.tmp', 'guard-first-steps-'));
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'billing', private: true }));
    const modules = join(folder, 'node_modules');
    await mkdir(modules, { recursive: true });
    await installGuard(modules);
    for (const name of PACKAGES) {
      await mkdir(dirname(join(modules, name)), { recursive: true });
      await symlink(join(root, 'node_modules', name), join(modules, name));
    }
  }, 120_000);

  afterAll(async () => {
    app?.kill('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  });

  it('brings less than 5 MB beside Nest', async () => {
    const modules = join(folder, 'node_modules');
    const names = Object.keys((await manifestOf(join(modules, 'castellan-guard'))).dependencies ?? {});
    const further = await Promise.all(names.map((name) => manifestOf(join(modules, name))));
    expect(further.flatMap(({ dependencies = {} }) => Object.keys(dependencies))).toEqual([]);
    const sizes = await Promise.all(['castellan-guard', ...names].map((name) => sizeOf(join(modules, name))));
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(5 * MEGABYTE);
  });

  it('answers an administrator, and no one else, on Express', async () => {
    const {
      shell: [register = '', read = ''],
      code,
    } = await section();
    const registered = await shell(register);
    const { client_id: CLIENT_ID = '', client_secret: CLIENT_SECRET = '' } = JSON.parse(
      registered.slice(registered.lastIndexOf('{"id"')),
    ) as Record<string, string>;
    await writeFile(join(folder, 'billing.ts'), placed(code));
    const { jsc } = JSON.parse(await readFile(join(root, '.swcrc'), 'utf8')) as object & { jsc: object };
    const compiled = await transformFile(join(folder, 'billing.ts'), {
      configFile: false,
      swcrc: false,
      module: { type: 'commonjs' },
      jsc,
    });
    await writeFile(join(folder, 'billing.js'), compiled.code);
    app = spawn(process.execPath, ['billing.js'], {
      cwd: folder,
      env: { ...process.env, CLIENT_ID, CLIENT_SECRET },
      stdio: 'inherit',
    });
    const answer = await eventually(
      () => call(read).catch(() => ''),
      (text) => text.endsWith(' 200'),
      30,
    );
    expect(answer).toBe('{"reader":"admin","invoices":[]} 200');
    expect(await call(read.replace('-b jar', ''))).toMatch(/"code":"unauthenticated".* 401$/);
    expect(await shell(`curl -s -b jar ${castellan}/api/permission`)).toContain('"invoice:create"');
  }, 120_000);
});
