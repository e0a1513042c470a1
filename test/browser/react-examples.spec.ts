import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Page } from 'playwright-core';
import { accessTtl } from '../../src/session/store/session.settings';
import { eventually } from '../support/service/eventually';
import { firstCode } from '../support/receivers/inbox';
import { freePort } from '../support/servers/redis-server';
import { codeOf, factorsOf, WRONG } from '../support/accounts/second-factors';
import type { TestClient } from '../support/service/test-client';
import { PASSWORD } from '../support/service/test-service';
import { builtPackages } from './built-packages';
import { REACT_VERSIONS, serveReactExample } from './react-example';
import { pageForEach, serveForAll } from './stage';
import { accessibilityFaults, complaintsOf } from './watch';

const root = join(__dirname, '..', '..');

beforeAll(builtPackages, 180_000);

describe.each(REACT_VERSIONS)('React example with $name', ({ name, config }) => {
  const served = serveReactExample(config);
  const seen = pageForEach(1280);
  const username = name.toLowerCase().replace(' ', '_');
  let admin: TestClient;
  let user: TestClient;
  let id: string;

  beforeAll(async () => {
    admin = await served.service.admin();
    user = await served.service.signUp(username);
    ({ id } = (await user.get<{ id: string }>('/api/auth/me')).body);
  });

  async function open(): Promise<Page> {
    const page = await seen.context.newPage();
    await page.goto(served.url);
    return page;
  }

  async function logIn(page: Page, password: string = PASSWORD): Promise<void> {
    await page.getByLabel('Username, e-mail or phone').fill(username);
    await page.fill('input[type="password"]', password);
    await page.getByRole('button', { name: 'Log in' }).click();
  }

  const greeting = (page: Page, text: string): Promise<unknown> => page.waitForSelector(`h1:text-is("${text}")`);
  const change = (body: object): Promise<unknown> => admin.patch(`/api/user/${id}/permissions`, body);

  it('shows and hides a button within a second after a permission is given and taken away', async () => {
    const page = await open();
    const complaints = complaintsOf(page, /40[14]/);
    await greeting(page, 'You are not logged in.');
    expect(await accessibilityFaults(page)).toEqual([]);
    await logIn(page, 'wrong');
    await page.waitForSelector('[role="alert"]:text("The login details are wrong.")');
    await logIn(page);
    await greeting(page, `Hello, ${username}`);
    const other = await open();
    await greeting(other, `Hello, ${username}`);
    await page.waitForSelector('text="You have no reports."');
    const delays: number[] = [];
    for (const [body, shown] of [
      [{ add: [{ permission_id: 'report:read' }] }, 'button:has-text("Open the report")'],
      [{ remove: ['report:read'] }, 'text="You have no reports."'],
    ] as const) {
      await change(body);
      const from = performance.now();
      await Promise.all([page.waitForSelector(shown), other.waitForSelector(shown)]);
      delays.push(performance.now() - from);
    }
    process.stdout.write(`      shown in both tabs after ${delays.map((ms) => ms.toFixed(0)).join(' and ')} ms\n`);
    expect(Math.max(...delays)).toBeLessThan(1_000);
    expect(complaints).toEqual([]);
  });

  it('keeps what was typed before the login methods are known', async () => {
    const page = await seen.context.newPage();
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/info?*', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(served.url);
    await page.getByLabel('Username').fill(username);
    expect(await page.getByRole('tab').count()).toBe(0);
    answer();
    await page.getByRole('tab', { name: 'E-mail code' }).waitFor();
    expect(await page.getByLabel('Username').inputValue()).toBe(username);
    expect(await page.locator(':focus').getAttribute('name')).toBe('username');
  });

  it('keeps the login method while a login is under way', async () => {
    const page = await open();
    await page.getByRole('tab', { name: 'E-mail code' }).waitFor();
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/auth/login?*', async (route) => {
      await held;
      await route.continue();
    });
    await logIn(page, 'wrong');
    await page.getByRole('tab', { name: 'E-mail code' }).click();
    answer();
    await page.waitForSelector('[role="alert"]:text("The login details are wrong.")');
    expect(await page.getByRole('tab', { name: 'Password' }).getAttribute('aria-selected')).toBe('true');
    await page.getByRole('tab', { name: 'E-mail code' }).click();
    await page.getByLabel('E-mail address').waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('');
  });

  it('logs in by a code, by keyboard, and forgets the error of another login method', async () => {
    const email = `${username}@example.com`;
    await admin.patch(`/api/user/${id}`, { email, email_verified: true });
    const page = await open();
    const complaints = complaintsOf(page, /40[14]/);
    await page.getByRole('tab', { name: 'E-mail code' }).waitFor();
    await logIn(page, 'wrong');
    await page.waitForSelector('[role="alert"]:text("The login details are wrong.")');
    await page.getByRole('tab', { name: 'Password' }).press('ArrowRight');
    await page.waitForSelector('[role="tab"]:focus:text-is("E-mail code")');
    expect(await page.getByRole('alert').textContent()).toBe('');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('ArrowRight');
    await page.getByLabel('Phone number').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Send a code' }).press('Enter');
    await page.getByRole('status').getByText(`We have sent a code to ${email}.`).waitFor();
    await page.getByLabel('Code', { exact: true }).fill(` ${await firstCode(served.service, email)} `);
    await page.keyboard.press('Enter');
    await greeting(page, `Hello, ${username}`);
    expect(complaints).toEqual([]);
  });

  it('sets up and removes an authenticator app', async () => {
    const page = await open();
    const complaints = complaintsOf(page, /40[01]/);
    await page.getByLabel('Username, e-mail or phone').waitFor();
    await logIn(page);
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    const secret = (await page.textContent('code')) ?? '';
    const confirm = async (code: string): Promise<void> => {
      await page.getByLabel('Code of the app').fill(code);
      await page.getByRole('button', { name: 'Confirm the app' }).click();
    };
    await confirm(WRONG);
    await page.waitForSelector('[role="alert"]:not(:empty)');
    expect(await accessibilityFaults(page)).toEqual([]);
    await confirm(codeOf(secret));
    await page.waitForSelector('text="totp"');
    await page.getByText('Keep these recovery codes').waitFor();
    expect((await factorsOf(user)).items.map(({ type }) => type)).toEqual(['totp', 'recovery']);
    await page.getByRole('button', { name: 'Remove' }).click();
    await eventually(
      () => factorsOf(user),
      ({ items }) => items.length === 0,
    );
    await page.getByRole('button', { name: 'Log out' }).click();
    await greeting(page, 'You are not logged in.');
    expect(complaints).toEqual([]);
  });

  it('logs out in all tabs, and shows an ended session', async () => {
    const [one, two] = [await open(), await open()];
    await logIn(one);
    await Promise.all([greeting(one, `Hello, ${username}`), greeting(two, `Hello, ${username}`)]);
    await one.getByRole('button', { name: 'Log out' }).click();
    await Promise.all([greeting(one, 'You are not logged in.'), greeting(two, 'You are not logged in.')]);
    await logIn(two);
    await Promise.all([greeting(one, `Hello, ${username}`), greeting(two, `Hello, ${username}`)]);
    await user.delete('/api/auth/sessions');
    await Promise.all([greeting(one, 'You are not logged in.'), greeting(two, 'You are not logged in.')]);
  });
});

describe('server-rendered example', () => {
  const served = serveForAll();
  const seen = pageForEach(1280);
  let server: ChildProcess;
  let url: string;

  beforeAll(async () => {
    await served.service.register('rendered_ann', { nickname: 'Ann' });
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    server = spawn(process.execPath, [join(root, 'examples/server-rendered/server.mjs')], {
      env: { ...process.env, CASTELLAN_URL: served.address, PORT: String(port) },
    });
    server.stderr?.pipe(process.stderr);
    await once(server.stdout!, 'data');
  }, 60_000);

  afterAll(() => {
    server.kill();
  });

  const greeting = (): Promise<string | null> => seen.page.textContent('h1');
  const logIn = (): Promise<number> =>
    seen.page.evaluate<number>(
      `fetch('/api/auth/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'password', username: 'rendered_ann', password: '${PASSWORD}' }),
      }).then(({ status }) => status)`,
    );

  it('renders no page of a user who has something to do first', async () => {
    const { service, address } = served;
    const client = await service.signUp('rendered_bob');
    const { body } = await client.get<{ id: string }>('/api/auth/me');
    await (await service.admin()).patch(`/api/user/${body.id}`, { must_change_password: true });
    const text = await (await fetch(url, { headers: { cookie: client.cookie } })).text();
    expect(text).toContain('You have something to do first.');
    expect(text).toContain(`href="${address}/login?logged_in"`);
    expect(text).not.toContain('rendered_bob');
  });

  it('renders the page of the user, also after the access token has expired', async () => {
    await seen.page.goto(url);
    expect(await greeting()).toBe('You are not logged in.');
    await seen.page.goto(`${served.address}/login`);
    await served.service.set(accessTtl, 1);
    expect(await logIn()).toBe(200);
    await served.service.set(accessTtl, 900);
    await eventually(
      () => seen.page.evaluate<number>("fetch('/api/auth/me').then(({ status }) => status)"),
      (status) => status === 401,
      30,
    );
    await seen.page.goto(url);
    expect(await greeting()).toBe('Hello, Ann');
    // The browser has the refreshed cookies.
    await seen.page.goto(`${served.address}/login`);
    expect(await seen.page.evaluate<number>("fetch('/api/auth/me').then(({ status }) => status)")).toBe(200);
  });
});
