import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { freePort } from '../support/servers/redis-server';
import { PASSWORD } from '../support/service/test-service';
import { builtPackages } from './built-packages';
import { pageForEach } from './stage';
import { accessibilityFaults, complaintsOf } from './watch';

const run = promisify(execFile);
const root = join(__dirname, '..', '..');
const example = join(root, 'examples/nest-host-react');
const ADMIN_OF_SHOP = 'an administrator of the shop';

describe('Nest host with a React page', () => {
  const seen = pageForEach(1280);
  let folder: string;
  let port: number;
  let host: ChildProcess;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'castellan-example-'));
    port = await freePort();
    const { DATABASE_URL: _url, NODE_ENV: _environment, ...inherited } = process.env;
    const env = { ...inherited, PORT: String(port), PAGE_DIR: join(folder, 'page'), DATA_DIR: join(folder, 'data') };
    await builtPackages();
    const program = join(root, '.tmp/examples/nest-host-react/src/main.js');
    const compile = ['examples/nest-host-react/src', '-d', '.tmp/examples', '--strip-leading-paths', '-q'];
    await run(join(root, 'node_modules/.bin/swc'), compile, { cwd: root });
    await run(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', join(example, 'web')], { env });
    host = spawn(process.execPath, [program], {
      cwd: root,
      env: { ...env, ADMIN_PASSWORD: ADMIN_OF_SHOP },
    });
    host.stderr?.pipe(process.stderr);
    await until(host, 'The shop is open at');
  }, 300_000);

  afterAll(async () => {
    host.kill('SIGTERM');
    if (host.exitCode === null) await once(host, 'exit');
    await rm(folder, { recursive: true, force: true });
  });

  const greeting = (page: Page, text: string): Promise<unknown> => page.waitForSelector(`h1:text-is("${text}")`);
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  /** The lines with which the README gives the role. */
  async function giveRole(): Promise<void> {
    const readme = await readFile(join(example, 'README.md'), 'utf8');
    const [, lines = ''] = /```sh\n(id_of\(\)[^]*?)```/.exec(readme) ?? [];
    const { stdout } = await run('sh', ['-euc', lines.replaceAll(':4500', `:${port}`)], { cwd: folder });
    expect(stdout).toContain('"name":"manager"');
  }

  it('shows orders to users, and buttons to those with the role that the code declares', async () => {
    const { page } = seen;
    const complaints = complaintsOf(page, /40[134]/);
    await page.goto(`http://127.0.0.1:${port}/`);
    await greeting(page, 'Welcome to the shop');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await statusOf(page, 'GET', '/shop/orders')).toBe(401);

    await button(page, 'Create an account').click();
    await page.getByLabel('Username', { exact: true }).fill('ann');
    await page.fill('input[type="password"]', PASSWORD);
    await button(page, 'Register').click();
    await page.getByLabel('Username, e-mail or phone').fill('ann');
    await page.fill('input[type="password"]', PASSWORD);
    await button(page, 'Log in').click();
    await greeting(page, 'Hello, ann');
    await page.getByText('Coffee').waitFor();
    expect(await button(page, 'Delete Coffee').count()).toBe(0);
    expect(await statusOf(page, 'DELETE', '/shop/orders/2')).toBe(403);

    await giveRole();
    const from = performance.now();
    await button(page, 'Delete Coffee').click();
    expect(performance.now() - from).toBeLessThan(2_000);
    await page.getByText('Coffee').waitFor({ state: 'detached' });
    expect(await page.getByRole('listitem').count()).toBe(1);
    expect(await statusOf(page, 'DELETE', '/shop/orders/2')).toBe(404);
    expect(complaints).toEqual([]);
  });

  it('gets one organization by the seed, however often it runs', async () => {
    const env = { ...process.env, CASTELLAN_URL: `http://127.0.0.1:${port}`, ADMIN_PASSWORD: ADMIN_OF_SHOP };
    const seed = () => run(process.execPath, [join(example, 'seed.mjs')], { env });
    const { stdout } = await seed();
    expect(stdout).toMatch(/^ann is a manager of Acme Ltd: [0-9a-f-]{36}\n$/);
    expect((await seed()).stdout).toBe(stdout);
  });
});

/** Resolves when the process has written the text. */
function until(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(text)) resolve();
    });
    child.once('exit', () => {
      reject(new Error(`The example ended: ${output}`));
    });
  });
}

/** Status of a request that the page makes. */
const statusOf = (page: Page, method: string, path: string): Promise<number> =>
  page.evaluate<number>(`fetch('${path}', { method: '${method}' }).then(({ status }) => status)`);
