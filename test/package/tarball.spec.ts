import { Options, transform } from '@swc/core';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtinModules } from 'node:module';
import { promisify } from 'node:util';
import { hostRecipes, NOT_INSTALLED, recipesOf } from '../support/hosts/host-recipes';
import { itOnServer } from '../support/service/on-server';
import { createTestDatabase } from '../support/service/test-database';

interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly peerDependencies: Record<string, string>;
  readonly bundleDependencies: readonly string[];
  readonly bin: Record<string, string>;
}

interface Seen {
  readonly plain: unknown[];
  readonly withService: unknown[];
  readonly service: object;
  readonly welcomed: string[];
  readonly heard: string[];
  readonly language: string;
  readonly entities: string[];
  readonly connected: boolean;
  readonly still: { count: number }[];
}

const run = promisify(execFile);
const root = join(__dirname, '..', '..');

/** A test of a host, as `nest new` has them. */
const HOST_TEST = `
import { Get } from '@nestjs/common';
import { Authenticated, ServiceController } from 'castellan';
import { TestIdentity } from 'castellan/testing';

@ServiceController('shop')
class ShopController {
  @Get('basket')
  @Authenticated()
  basket(): object {
    return { empty: true };
  }
}

it('opens the basket to users', async () => {
  const identity = await TestIdentity.start({ controllers: [ShopController] });
  expect((await identity.client().get('/shop/basket')).status).toBe(401);
  expect((await (await identity.signUp('ann')).get('/shop/basket')).body).toEqual({ empty: true });
  await identity.stop();
}, 60_000);
`;
const bin = (name: string): string => join(root, 'node_modules', '.bin', name);

/** Both module kinds of a host. */
const kinds = [
  { name: 'an ES module', folder: 'esm', type: 'module', module: 'es6' },
  { name: 'CommonJS', folder: 'cjs', type: 'commonjs', module: 'commonjs' },
] as const;

let work: string;
let packed: string[];
let manifest: Manifest;

const declared = (): string[] => Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });

async function link(host: string, names: readonly string[]): Promise<void> {
  const modules = join(host, 'node_modules');
  for (const name of names) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, 'node_modules', name), join(modules, name));
  }
}

/** Lays the packages out like npm, but uses the dependencies of the repository, so that no network is needed. */
async function install(host: string, type: string): Promise<void> {
  const modules = join(host, 'node_modules');
  await mkdir(join(modules, 'castellan'), { recursive: true });
  await run('tar', ['xzf', join(work, packed[0] ?? ''), '-C', join(modules, 'castellan'), '--strip-components=1']);
  await writeFile(join(host, 'package.json'), JSON.stringify({ name: 'host', private: true, type }));
  // npm puts Fastify beside its adapter, and the types of this package name it.
  const installed = declared().filter((name) => !manifest.bundleDependencies.includes(name));
  await link(host, [...installed, '@types/node', 'fastify']);
}

async function compile(host: string, module: 'es6' | 'commonjs'): Promise<void> {
  const source = await readFile(join(__dirname, 'host', 'main.ts'), 'utf8');
  const { jsc } = JSON.parse(await readFile(join(root, '.swcrc'), 'utf8')) as Options;
  const { code } = await transform(source, {
    configFile: false,
    swcrc: false,
    module: { type: module },
    ...(jsc && { jsc }),
  });
  await writeFile(join(host, 'main.js'), code);
  await writeFile(join(host, 'main.ts'), source);
}

async function writeRecipes(folder: string): Promise<void> {
  await mkdir(folder);
  const readme = recipesOf('README.md').map(({ file = '', text }) => [file, text] as const);
  // The configuration and the code of a page, which has the packages of a page.
  const ofHosts = readme.filter(([file]) => file !== 'vite.config.ts' && !file.endsWith('.tsx'));
  const recipes = new Map([...hostRecipes(), ...ofHosts]);
  expect([...recipes.keys()]).toEqual(expect.arrayContaining(['app.module.ts', 'notes.spec.ts', 'main.ts']));
  for (const [file, text] of recipes) await writeFile(join(folder, file), text);
  await writeFile(join(folder, 'others.d.ts'), NOT_INSTALLED);
}

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'castellan-package-'));
  manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest;
  await run('npm', ['run', '-s', 'build:types'], { cwd: root });
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', work], { cwd: root });
  packed = await readdir(work);
  for (const { folder, type, module } of kinds) {
    await install(join(work, folder), type);
    await compile(join(work, folder), module);
  }
}, 300_000);

afterAll(() => rm(work, { recursive: true, force: true }));

describe('tarball', () => {
  const files = async (): Promise<string[]> =>
    (await readdir(join(work, 'esm', 'node_modules', 'castellan'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).split('node_modules/castellan/')[1] ?? '');

  it('contains exactly what it needs at runtime', async () => {
    const list = await files();
    expect(list).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'CHANGELOG.md',
        'package.json',
        'i18n/en/errors.json',
        'i18n/zh/errors.json',
        'dist/index.js',
        'dist/service-guard/client/index.js',
        'dist/testing/index.js',
        'jest/jest-preset.cjs',
        'dist/migrations/index.js',
        'dist/types/src/index.d.ts',
        ...Object.values(manifest.bin),
      ]),
    );
    expect(list.some((file) => file.startsWith('dist/web/') && file.endsWith('.html'))).toBe(true);
    const parts =
      /^(dist|i18n|jest|docs|examples|node_modules)\/|^packages\/(?:client|guard|react)\/README\.md$|^[^/]+$/;
    expect(list.filter((file) => !parts.test(file))).toEqual([]);
    const own = list.filter((file) => !file.startsWith('node_modules/'));
    expect(own.filter((file) => /\.(spec\.|map$)|(^|\/)(\.env|\.npmrc|\.data)/.test(file))).toEqual([]);
  });

  it('brings its own cache-manager, so that npm does not take it for the one that a host asks for', async () => {
    const list = await files();
    for (const name of ['cache-manager', 'cache-manager-redis-yet']) {
      expect(list).toContain(`node_modules/${name}/package.json`);
    }
  });

  it('contains all link targets of its README', async () => {
    const list = await files();
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(20);
    const isThere = (link: string): boolean =>
      list.some((file) => file === link || (link.endsWith('/') && file.startsWith(link)));
    expect(links.filter((link) => !isThere(link))).toEqual([]);
  });

  it('exports what the API report lists', async () => {
    await expect(run('node', ['scripts/api-report.mjs'], { cwd: root })).resolves.toBeDefined();
  }, 120_000);

  it('declares every package that it imports', async () => {
    const castellan = join(work, 'esm', 'node_modules', 'castellan');
    const asked = new Set<string>();
    for (const file of (await files()).filter((name) => /^dist\/(?!web\/).*\.(js|d\.ts)$/.test(name))) {
      const source = await readFile(join(castellan, file), 'utf8');
      for (const [, name = ''] of source.matchAll(/(?:require\(|import\(|from )["']((?:@[\w.-]+\/)?[\w-][\w.-]*)/g)) {
        asked.add(name);
      }
    }
    // Packages that only types import, in the version that the platform brings.
    const known = new Set(['node', ...builtinModules, ...declared(), 'fastify']);
    expect([...asked].filter((name) => !known.has(name))).toEqual([]);
    expect(asked.size).toBeGreaterThan(20);
  });

  it('compiles for both kinds of host, including the code of the pages for hosts and of the README', async () => {
    const strict = { strict: true, skipLibCheck: false, noEmit: true, target: 'es2023' };
    const decorators = {
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    };
    const compilerOptions = {
      ...strict,
      ...decorators,
      module: 'nodenext',
      moduleResolution: 'nodenext',
      types: ['node', 'jest'],
    };
    await writeRecipes(join(work, 'cjs', 'recipes'));
    const include = [...kinds.map(({ folder }) => `${folder}/main.ts`), 'cjs/recipes/*.ts'];
    await mkdir(join(work, 'node_modules', '@types'), { recursive: true });
    for (const name of ['node', 'jest']) {
      await symlink(join(root, 'node_modules/@types', name), join(work, 'node_modules/@types', name));
    }
    await writeFile(join(work, 'tsconfig.json'), JSON.stringify({ compilerOptions, include, exclude: [] }));
    const outcome = await run(bin('tsc'), ['-p', work], { cwd: work }).catch((error: unknown) => error);
    const errors = (outcome as { stdout: string }).stdout.split('\n').filter((line) => line !== '');
    // The repository has another version of content-disposition beside @types/koa, for a development tool.
    expect(errors.filter((line) => !/@types\/koa\/.*content-disposition/.test(line))).toEqual([]);
  }, 240_000);
});

describe('Jest preset', () => {
  it('runs a test of a host on the embedded database, without a flag of Node', async () => {
    const host = join(work, 'cjs');
    await link(host, ['@swc/jest', '@swc/core', 'typescript']);
    await writeFile(join(host, 'shop.spec.ts'), HOST_TEST);
    await writeFile(join(host, 'jest.config.json'), JSON.stringify({ preset: 'castellan', rootDir: '.' }));
    const { NODE_OPTIONS: _, ...env } = process.env;
    const jest = [join(root, 'node_modules/jest/bin/jest.js'), '--config', 'jest.config.json', 'shop.spec'];
    const outcome = await run('node', jest, { cwd: host, env }).catch((error: unknown) => error);
    expect((outcome as { stderr: string }).stderr).toContain('Tests:       1 passed, 1 total');
  }, 180_000);
});

// The process of the host has a data source of its own, which needs a server. Without an address, `pg` would take any local one.
describe.each(kinds)('in a host that is $name', ({ folder }) => {
  let seen: Seen;

  beforeAll(async () => {
    const [own, ours] = [await createTestDatabase(), await createTestDatabase()];
    try {
      await own.query('DROP SCHEMA public CASCADE');
      await own.query('CREATE SCHEMA public');
      const { stdout } = await run('node', ['main.js'], {
        cwd: join(work, folder),
        env: { ...process.env, HOST_DATABASE_URL: own.url, IDENTITY_DATABASE_URL: ours.url },
      });
      seen = JSON.parse(stdout) as Seen;
    } finally {
      await own.drop();
      await ours.drop();
    }
  }, 120_000);

  itOnServer('every response of the host is the same as without the service', () => {
    expect(seen.withService).toEqual(seen.plain);
    expect(seen.plain).toMatchObject([
      { statusCode: 200, payload: 'Guten Tag' },
      { payload: '{"accounts":[{"id":1,"iban":"DE02"}]}' },
      { statusCode: 201, payload: '{"a":"1","b":"2"}' },
      { statusCode: 400 },
      { statusCode: 500, payload: '{"host_filter":"the host’s own"}' },
      { statusCode: 403, payload: '{"host_filter":"the host refuses"}' },
      { statusCode: 404 },
      { statusCode: 404 },
    ]);
  });

  itOnServer('database, language and events of the host stay separate', () => {
    expect(seen).toMatchObject({ language: 'de', entities: ['user_account'], connected: true, still: [{ count: 1 }] });
    expect(seen.heard).toEqual(['host.echo', 'host.echo']);
  });

  itOnServer('the service answers at its paths, guards a route of the host, and notifies the host of new users', () => {
    expect(seen.service).toEqual({
      statuses: [201, 401, 200, 200],
      refused: 'unauthenticated',
      basket: { owner: 'ann' },
      chinese: '未找到',
      keys: 200,
    });
    expect(seen.welcomed).toEqual(['admin', 'ann']);
  });
});
