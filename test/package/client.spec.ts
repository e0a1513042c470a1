import { transform } from '@swc/core';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../support/redis-server';
import { TestService } from '../support/test-service';

const run = promisify(execFile);
const root = join(__dirname, '..', '..');
const client = join(root, 'packages', 'client');

/** Both kinds of module that a program may be made of. */
const kinds = [
  { name: 'an ES module', folder: 'esm', type: 'module', module: 'es6' },
  { name: 'CommonJS', folder: 'cjs', type: 'commonjs', module: 'commonjs' },
] as const;

let work: string;

/** As npm would lay it out, but that what it depends on is the repository's: nothing comes over the network. */
async function install(host: string, type: string, tarball: string): Promise<void> {
  const modules = join(host, 'node_modules');
  await mkdir(join(modules, 'castellan-client'), { recursive: true });
  await run('tar', ['xzf', tarball, '-C', join(modules, 'castellan-client'), '--strip-components=1']);
  await writeFile(join(host, 'package.json'), JSON.stringify({ name: 'host', private: true, type }));
  const { dependencies } = JSON.parse(await readFile(join(client, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) await symlink(join(root, 'node_modules', name), join(modules, name));
}

async function writeExamples(host: string, module: 'es6' | 'commonjs'): Promise<void> {
  const readme = await readFile(join(client, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/```ts\n\/\/ (\S+)\.ts\n([^]*?)```/g)];
  expect(examples.map(([, name]) => name)).toEqual(['page', 'program']);
  for (const [, name = '', source = ''] of examples) {
    const { code } = await transform(source, {
      configFile: false,
      swcrc: false,
      module: { type: module },
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    });
    await writeFile(join(host, `${name}.ts`), source);
    await writeFile(join(host, `${name}.js`), code);
  }
}

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'castellan-client-'));
  await run('npm', ['run', '-s', 'build:client'], { cwd: root });
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', work], { cwd: client });
  const [tarball = ''] = await readdir(work);
  for (const { folder, type, module } of kinds) {
    await install(join(work, folder), type, join(work, tarball));
    await writeExamples(join(work, folder), module);
  }
}, 300_000);

afterAll(() => rm(work, { recursive: true, force: true }));

it('the tarball of the client holds code and types for both kinds of module, and no more', async () => {
  const installed = join(work, 'esm', 'node_modules', 'castellan-client');
  const files = (await readdir(installed, { recursive: true })).filter((file) => file !== 'dist').sort();
  const built = ['dist/index.cjs', 'dist/index.d.cts', 'dist/index.d.ts', 'dist/index.js'];
  expect(files).toEqual(['LICENSE', 'README.md', ...built, 'package.json']);
});

it('the examples of its README are typed in both kinds of program', async () => {
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: 'es2022',
    lib: ['es2022', 'dom'],
    module: 'nodenext',
    types: ['node'],
  };
  await mkdir(join(work, 'node_modules', '@types'), { recursive: true });
  for (const name of ['@types/node', 'undici-types']) {
    await symlink(join(root, 'node_modules', name), join(work, 'node_modules', name));
  }
  const include = kinds.map(({ folder }) => `${folder}/*.ts`);
  await writeFile(join(work, 'tsconfig.json'), JSON.stringify({ compilerOptions, include, exclude: [] }));
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const outcome = await run(tsc, ['-p', work], { cwd: work }).catch((error: unknown) => error);
  expect((outcome as { stdout: string }).stdout).toBe('');
}, 120_000);

describe('the program of its README, run against the service', () => {
  let service: TestService;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    service = await TestService.start({ environment: { PORT: String(port) } });
    await service.app.listen(port, '127.0.0.1');
    url = `http://127.0.0.1:${port}`;
    await service.register('ann', { password: 'correct horse battery' });
  });

  afterAll(() => service.stop());

  it.each(kinds)('as $name: logs in, looks around and logs out', async ({ folder }) => {
    const { stdout } = await run('node', ['program.js'], {
      cwd: join(work, folder),
      env: { ...process.env, CASTELLAN_URL: url },
    });
    expect(stdout.trim().split('\n')).toEqual(['I am ann', expect.stringMatching(/\(this one\)$/), 'unauthenticated']);
  });
});
