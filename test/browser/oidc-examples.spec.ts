import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../support/servers/redis-server';
import { PASSWORD } from '../support/service/test-service';
import { pageForEach, serveIssuerForAll } from './stage';
import { complaintsOf } from './watch';

const examples = join(__dirname, '../../examples');

/** Starts an example as in its README and waits until it prints its address. */
async function startExample(file: string, environment: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(examples, file)], { env: { ...process.env, ...environment } });
  child.stderr.pipe(process.stderr);
  await once(child.stdout, 'data');
  return child;
}

interface MadeClient {
  readonly client_id: string;
  readonly client_secret?: string;
}

describe('OIDC example applications', () => {
  const served = serveIssuerForAll();
  const seen = pageForEach(1280);
  let example: ChildProcess | undefined;

  beforeAll(() => served.service.register('example_ann', { nickname: 'Ann of the examples' }));

  afterEach(() => {
    example?.kill();
  });

  async function makeClient(body: Record<string, unknown>): Promise<MadeClient> {
    const admin = await served.service.admin();
    const answer = await admin.post<MadeClient>('/api/oauth/client', body);
    expect(answer.status).toBe(201);
    return answer.body;
  }

  async function logInAndAllow(): Promise<void> {
    await seen.page.fill('input[autocomplete^="username"]', 'example_ann');
    await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
    await seen.page.click('button[type="submit"]');
    await seen.page.click('text="Allow"');
  }

  /** Any site can send a browser to the logout page, so the service asks for confirmation. */
  async function confirmLogout(): Promise<void> {
    await seen.page.waitForURL(`${served.address}/api/oauth/logout?*`);
    await seen.page.click('button:has-text("Log out")');
  }

  it('logs in to the server application with consent and logs out on both sides', async () => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const client = await makeClient({
      name: 'Example server',
      redirect_uris: [`${origin}/callback`],
      post_logout_redirect_uris: [`${origin}/`],
      scopes: ['openid', 'profile', 'email'],
    });
    example = await startExample('oidc-server/server.mjs', {
      ISSUER: served.address,
      PORT: String(port),
      CLIENT_ID: client.client_id,
      CLIENT_SECRET: client.client_secret ?? '',
    });
    const complaints = complaintsOf(seen.page, /404/);
    // As if someone else had put a cookie of the server into the browser.
    const planted = (await fetch(origin)).headers.getSetCookie()[0]!.split(';', 1)[0]!;
    const [name = '', value = ''] = planted.split('=');
    await seen.context.addCookies([{ name, value, url: origin }]);
    await seen.page.goto(origin);
    await seen.page.click('text="Log in"');
    await seen.page.waitForURL(`${served.address}/login?interaction=*`);
    await logInAndAllow();
    await seen.page.waitForURL(`${origin}/`);
    expect(await seen.page.textContent('h1')).toBe('Hello, Ann of the examples');
    const other = await fetch(origin, { headers: { cookie: planted } });
    expect(await other.text()).toContain('You are not logged in.');

    await seen.page.click('text="Log out"');
    await confirmLogout();
    await seen.page.waitForURL(`${origin}/`);
    expect(await seen.page.textContent('main')).toContain('You are not logged in.');
    await seen.page.click('text="Log in"');
    await seen.page.waitForURL(`${served.address}/login?interaction=*`);
    expect(complaints).toEqual([]);
  });

  it('logs in to the single-page application with consent, refreshes its tokens and logs out', async () => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const client = await makeClient({
      name: 'Example SPA',
      is_public: true,
      redirect_uris: [`${origin}/callback`],
      post_logout_redirect_uris: [`${origin}/`],
      scopes: ['openid', 'profile', 'offline_access'],
    });
    example = await startExample('oidc-spa/serve.mjs', {
      ISSUER: served.address,
      PORT: String(port),
      CLIENT_ID: client.client_id,
    });
    const complaints = complaintsOf(seen.page, /404/);
    await seen.page.goto(origin);
    await seen.page.click('#login');
    await seen.page.waitForURL(`${served.address}/login?interaction=*`);
    await logInAndAllow();
    await seen.page.waitForSelector('text="Hello, Ann of the examples"');
    const renewed = seen.page.waitForResponse((answer) => answer.url() === `${served.address}/api/oauth/token`);
    await seen.page.click('#refresh');
    expect((await renewed).status()).toBe(200);
    await seen.page.click('#logout');
    await confirmLogout();
    await seen.page.waitForSelector('text="You are not logged in."');
    expect(complaints).toEqual([]);
  });
});
