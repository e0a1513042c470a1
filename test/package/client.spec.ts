import { transform } from '@swc/core';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { accessTtl } from '../../src/session/store/session.settings';
import { GuardedApp } from '../support/hosts/guarded-app';
import { guardClient } from '../support/hosts/guarded-service';
import { freePort } from '../support/servers/redis-server';
import { eventually, TestService } from '../support/service/test-service';

const run = promisify(execFile);
const root = join(__dirname, '..', '..');
const client = join(root, 'packages', 'client');

/** Both module kinds of a program. */
const kinds = [
  { name: 'an ES module', folder: 'esm', type: 'module', module: 'es6' },
  { name: 'CommonJS', folder: 'cjs', type: 'commonjs', module: 'commonjs' },
] as const;

/** The used members of the installed package, whose types exist only after a build. */
interface Installed {
  readonly createCastellanClient: (options: object) => Client;
  readonly fetchWithCookies: (jar?: object) => Send;
  readonly createServiceFetch: (client: Client, options: object) => (path: string) => Promise<Response>;
}

interface Found {
  readonly user: { readonly username: string } | null;
  readonly isExpired: boolean;
  readonly setCookies: readonly string[];
  readonly cookie: string;
}

interface InstalledServer {
  readonly CastellanServer: new (options: object) => { authenticate(request: object): Promise<Found> };
}

type Send = (url: URL, init: RequestInit) => Promise<Response>;
type Call = (path: string, init?: object) => Promise<{ response: Response; error?: { code: string } }>;

interface Client {
  readonly GET: Call;
  readonly POST: Call;
  on(name: 'change', listener: (event: { user: { nickname: string } }) => void): () => void;
  on(name: 'logout', listener: (event: { problem?: { code: string } }) => void): () => void;
}

let work: string;

/** Lays the packages out like npm, but uses the dependencies of the repository, so that no network is needed. */
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
  expect(examples.map(([, name]) => name)).toEqual([
    'page',
    'permissions',
    'organizations',
    'service',
    'program',
    'server',
    'host',
  ]);
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

it('the tarball of the client contains exactly code and types for both module kinds', async () => {
  const installed = join(work, 'esm', 'node_modules', 'castellan-client');
  const files = (await readdir(installed, { recursive: true })).filter((file) => file !== 'dist').sort();
  const built = ['index', 'server'].flatMap((name) =>
    ['cjs', 'd.cts', 'd.ts', 'js'].map((ending) => `dist/${name}.${ending}`),
  );
  expect(files).toEqual(['LICENSE', 'README.md', ...built, 'package.json']);
});

it('the README examples of the client compile in both kinds of program', async () => {
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

describe('with a running service', () => {
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

  it.each(kinds)('the README program of the client, as $name, logs in, reads data and logs out', async ({ folder }) => {
    const { stdout } = await run('node', ['program.js'], {
      cwd: join(work, folder),
      env: { ...process.env, CASTELLAN_URL: url },
    });
    expect(stdout.trim().split('\n')).toEqual(['I am ann', expect.stringMatching(/\(this one\)$/), 'unauthenticated']);
  });

  it('the client tells a server who makes a request, and refreshes once for concurrent requests', async () => {
    const installed = createRequire(join(work, 'cjs', 'main.js'))('castellan-client/server') as InstalledServer;
    const castellan = new installed.CastellanServer({ baseUrl: url });
    const ask = (cookie: string): Promise<Found> => castellan.authenticate({ headers: { cookie } });
    expect((await ask('')).user).toBeNull();
    await service.set(accessTtl, 1);
    const { cookie } = await service.logIn('ann', 'correct horse battery');
    await service.set(accessTtl, 900);
    const me = (): Promise<number> =>
      fetch(new URL('/api/auth/me', url), { headers: { cookie } }).then((r) => r.status);
    await eventually(me, (status) => status === 401, 30);
    const refreshes = (): number =>
      service.logLines.filter((line) => line.includes('"route":"/api/auth/refresh"')).length;
    const before = refreshes();
    const [found, ...others] = await Promise.all([ask(cookie), ask(cookie), ask(cookie)]);
    expect(refreshes() - before).toBe(1);
    expect([found, ...others].map(({ user }) => user?.username)).toEqual(['ann', 'ann', 'ann']);
    expect(found.setCookies).toHaveLength(2);
    expect(await ask(found.cookie)).toMatchObject({ user: { username: 'ann' }, setCookies: [] });
    // As on another host, which does not receive the refresh token.
    const access = cookie.split('; ').filter((pair) => !pair.includes('_refresh='));
    expect(await ask(access.join('; '))).toMatchObject({ user: null, isExpired: true });
  });

  it('the client follows the account, until the session ends', async () => {
    const installed = createRequire(join(work, 'cjs', 'main.js'))('castellan-client') as Installed;
    const client = installed.createCastellanClient({ baseUrl: url, fetch: installed.fetchWithCookies() });
    const seen: string[] = [];
    client.on('change', ({ user }) => seen.push(user.nickname));
    client.on('logout', ({ problem }) => seen.push(problem?.code ?? 'logout'));
    const body = { type: 'password', username: 'ann', password: 'correct horse battery' };
    await client.POST('/api/auth/login', { body });
    await eventually(async () => seen.length, Boolean);
    const elsewhere = await service.logIn('ann', 'correct horse battery');
    await elsewhere.patch('/api/auth/me', { nickname: 'Annabel' });
    await eventually(async () => seen.includes('Annabel'), Boolean);
    await elsewhere.delete('/api/auth/sessions');
    await eventually(async () => seen.at(-1) === 'session_revoked', Boolean);
  });

  it('the client calls another service with the session, until it ends', async () => {
    const installed = createRequire(join(work, 'cjs', 'main.js'))('castellan-client') as Installed;
    const admin = await service.admin();
    const { client_id: clientId, client_secret: clientSecret = '' } = await guardClient(admin);
    const app = await GuardedApp.start('express', { url, clientId, clientSecret });
    const client = installed.createCastellanClient({ baseUrl: url, fetch: installed.fetchWithCookies() });
    const billing = installed.createServiceFetch(client, { baseUrl: app.url, audience: 'urn:castellan:billing' });
    expect((await billing('/invoices/me')).status).toBe(401);
    await client.POST('/api/auth/login', {
      body: { type: 'password', username: 'ann', password: 'correct horse battery' },
    });
    // On a busy machine, a first answer of the service can take longer than the guard waits for it.
    const mine = await eventually(
      () => billing('/invoices/me'),
      ({ status }) => status !== 503,
      20,
    );
    expect(await mine.json()).toMatchObject({ username: 'ann' });
    expect((await billing('/invoices')).status).toBe(403);
    await client.POST('/api/auth/logout');
    const response = await billing('/invoices/me');
    expect([response.status, await response.json()]).toMatchObject([401, { code: 'unauthenticated' }]);
    await app.stop();
  });

  it('the client renews an expired access token once for all calls, and reports an ended session', async () => {
    const installed = createRequire(join(work, 'cjs', 'main.js'))('castellan-client') as Installed;
    const send = installed.fetchWithCookies();
    const sent: string[] = [];
    const told: string[] = [];
    const counting: Send = (address, init) => {
      sent.push(address.pathname);
      return send(address, init);
    };
    const client = installed.createCastellanClient({
      baseUrl: url,
      fetch: counting,
      onUnauthenticated: ({ code }: { code: string }) => told.push(code),
    });
    await service.set(accessTtl, 1);
    await client.POST('/api/auth/login', {
      body: { type: 'password', username: 'ann', password: 'correct horse battery' },
    });
    await service.set(accessTtl, 900);
    const me = new URL('/api/auth/me', url);
    await eventually(
      async () => (await send(me, {})).status,
      (status) => status === 401,
      30,
    );
    const answers = await Promise.all(Array.from({ length: 6 }, () => client.GET('/api/auth/me')));
    expect(answers.map(({ response }) => response.status)).toEqual(Array(6).fill(200));
    expect(sent.filter((path) => path === '/api/auth/refresh')).toHaveLength(1);
    expect(told).toEqual([]);

    const elsewhere = await service.logIn('ann', 'correct horse battery');
    await elsewhere.delete('/api/auth/sessions');
    expect(await client.GET('/api/auth/me')).toMatchObject({ error: { code: 'session_revoked' } });
    expect(told).toEqual(['session_revoked']);
  });
});
