import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page, Route } from 'playwright-core';
import { allowedOrigins } from '../../src/platform/http';
import { accessTtl } from '../../src/session/store/session.settings';
import { freePort } from '../support/servers/redis-server';
import type { TestClient } from '../support/service/test-client';
import { ADMIN, eventually, PASSWORD, TestService } from '../support/service/test-service';
import { builtPackages } from './built-packages';
import { openViewer, type Viewer } from './stage';
import { complaintsOf } from './watch';

const run = promisify(execFile);
const root = join(__dirname, '..', '..');

/** Both are same-site but cross-origin. */
const places = [
  { name: 'two ports of one host', serviceHost: '127.0.0.1', pageHost: '127.0.0.1' },
  { name: 'two hosts of one domain', serviceHost: 'id.castellan.localhost', pageHost: 'app.castellan.localhost' },
];

/** Returns the number of tabs of the page's origin that wait for the refresh lock. */
const waiting = async (page: Page): Promise<number> =>
  page.evaluate<number>('navigator.locks.query().then(({ pending }) => pending.length)');

describe.each(places)('single-page application example with cookies, on $name', ({ serviceHost, pageHost }) => {
  let service: TestService;
  let url: string;
  let origin: string;
  let example: ChildProcess;
  let viewer: Viewer;
  let ann: TestClient;

  beforeAll(async () => {
    const [servicePort, pagePort] = [await freePort(), await freePort()];
    service = await TestService.start({ environment: { PORT: String(servicePort) } });
    await service.app.listen(servicePort, '127.0.0.1');
    url = `http://${serviceHost}:${servicePort}`;
    origin = `http://${pageHost}:${pagePort}`;
    ann = await service.signUp('spa_ann', { nickname: 'Ann' });
    await followReadme(servicePort);
    example = spawn(process.execPath, [join(root, 'examples/spa/serve.mjs')], {
      env: { ...process.env, CASTELLAN_URL: url, PORT: String(pagePort) },
    });
    example.stderr?.pipe(process.stderr);
    await once(example.stdout!, 'data');
  }, 240_000);

  afterAll(async () => {
    example.kill();
    await service.stop();
  });

  beforeEach(async () => {
    viewer = await openViewer(1280);
  });

  afterEach(() => viewer.close());

  /** Runs the commands of the README: the setting and the build of the client. */
  async function followReadme(servicePort: number): Promise<void> {
    const readme = await readFile(join(root, 'examples/spa/README.md'), 'utf8');
    const [setting = '', build = ''] = [...readme.matchAll(/```sh\n([^]*?)```/g)].map(([, script = '']) => script);
    expect(build).toContain('npm run build:client');
    const script = setting
      .replaceAll('http://127.0.0.1:4400', origin)
      .replaceAll('127.0.0.1:4000', `127.0.0.1:${servicePort}`)
      .replace('…', ADMIN.password);
    const folder = await mkdtemp(join(tmpdir(), 'castellan-spa-'));
    const { stdout } = await run('bash', ['-ec', script], { cwd: folder });
    await rm(folder, { recursive: true });
    expect(stdout).toContain(`"value":["${origin}"]`);
    await builtPackages();
  }

  const greeting = (page: Page, text: string): Promise<unknown> => page.waitForSelector(`h1:text-is("${text}")`);

  async function open(expected: string): Promise<Page> {
    const page = await viewer.context.newPage();
    await page.goto(origin);
    await greeting(page, expected);
    return page;
  }

  async function logIn(page: Page, password: string = PASSWORD): Promise<void> {
    await page.fill('input[name="username"]', 'spa_ann');
    await page.fill('input[name="password"]', password);
    await page.click('#login button');
  }

  /** Number of refresh requests that reached the service. */
  const refreshes = (): number =>
    service.logLines.filter((line) => (JSON.parse(line) as { route?: string }).route === '/api/auth/refresh').length;

  /** Returns the status of a request from the page, with the browser's cookies. */
  const ask = (page: Page, method: string, path: string): Promise<number> =>
    page.evaluate<number>(
      `fetch('${url}${path}', { method: '${method}', credentials: 'include' }).then(({ status }) => status)`,
    );

  /** Waits for a real token with a lifetime of one second to expire, as after 15 minutes. */
  async function letTokenEnd(page: Page): Promise<void> {
    await service.set(accessTtl, 1);
    expect(await ask(page, 'POST', '/api/auth/refresh')).toBe(200);
    await service.set(accessTtl, 900);
    await eventually(
      () => ask(page, 'GET', '/api/auth/me'),
      (status) => status === 401,
      30,
    );
  }

  /** Delays a refresh until the other tab waits for it. */
  async function holdRefresh(page: Page): Promise<void> {
    await viewer.context.route('**/api/auth/refresh', async (route: Route) => {
      await eventually(
        () => waiting(page),
        (count) => count > 0,
        30,
      );
      await route.continue();
    });
  }

  it("logs in and out, and shows the service's error for a wrong password", async () => {
    const page = await open('You are not logged in.');
    const complaints = complaintsOf(page, /401/);
    await logIn(page, 'wrong');
    await page.waitForSelector('#failure:text("The login details are wrong.")');
    await logIn(page);
    await greeting(page, 'Hello, Ann');
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.reload();
    await greeting(page, 'Hello, Ann');
    await page.click('#logout');
    await greeting(page, 'You are not logged in.');
    expect(complaints).toEqual([]);
  });

  it('refreshes once for two tabs with concurrent requests', async () => {
    const one = await open('You are not logged in.');
    await logIn(one);
    await greeting(one, 'Hello, Ann');
    const two = await open('Hello, Ann');
    await letTokenEnd(one);
    await holdRefresh(one);
    await ann.patch('/api/auth/me', { nickname: 'Annabel' });
    const before = refreshes();

    await Promise.all([one.click('#ask'), two.click('#ask')]);
    await Promise.all([greeting(one, 'Hello, Annabel'), greeting(two, 'Hello, Annabel')]);
    expect(refreshes() - before).toBe(1);

    await ann.patch('/api/auth/me', { nickname: 'Ann' });
    await Promise.all([one.click('#ask'), two.click('#ask')]);
    await Promise.all([greeting(one, 'Hello, Ann'), greeting(two, 'Hello, Ann')]);
    expect(refreshes() - before).toBe(1);

    await one.click('#logout');
    await greeting(one, 'You are not logged in.');
    await two.click('#ask');
    await greeting(two, 'You are not logged in.');
  });

  it('reports a session that was ended elsewhere', async () => {
    const page = await open('You are not logged in.');
    await logIn(page);
    await greeting(page, 'Hello, Ann');
    await ann.delete('/api/auth/sessions');
    await page.click('#ask');
    await greeting(page, 'You are not logged in.');
    expect(await page.textContent('#failure')).toBe('Your session has ended.');
  });

  it('names the setting if the origin is not allowed', async () => {
    await service.set(allowedOrigins, []);
    try {
      const page = await viewer.context.newPage();
      await page.goto(origin);
      await page.waitForSelector(`#failure:text("security.allowed_origins lacks ${origin}")`);
    } finally {
      await service.set(allowedOrigins, [origin]);
    }
  });
});
