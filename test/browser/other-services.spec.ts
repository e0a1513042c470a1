import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { allowedOrigins, cookieDomain, shareRefreshCookie } from '../../src/platform/http';
import { eventually } from '../support/service/eventually';
import { GuardedApp } from '../support/hosts/guarded-app';
import { guardClient } from '../support/hosts/guarded-service';
import { freePort } from '../support/servers/redis-server';
import { PASSWORD, TestService } from '../support/service/test-service';
import { builtPackages } from './built-packages';
import { openViewer, type Viewer } from './stage';
import { untilTrue } from './until-true';

const root = join(__dirname, '..', '..');
const DOMAIN = 'castellan.localhost';
/** The files of the page, by path. */
const FILES: Readonly<Record<string, string>> = {
  '/castellan-client.js': 'packages/client/dist/index.js',
  '/openapi-fetch.js': 'node_modules/openapi-fetch/dist/index.mjs',
};
const PAGE = `<!doctype html><title>App</title>
<script type="importmap">
  { "imports": { "castellan-client": "/castellan-client.js", "openapi-fetch": "/openapi-fetch.js" } }
</script>
<script type="module">
  import * as client from 'castellan-client';
  window.client = client;
</script>`;

let service: TestService;
let billing: GuardedApp;
let viewer: Viewer;
/** Castellan, the service and the page have three hosts of one domain. */
let castellanUrl: string;
let billingUrl: string;
let origin: string;

const pageServer = createServer(({ url = '' }, response) => {
  const file = FILES[url];
  response.setHeader('content-type', file === undefined ? 'text/html' : 'text/javascript');
  response.end(file === undefined ? PAGE : readFileSync(join(root, file)));
});

beforeAll(async () => {
  await builtPackages();
  const [port, pagePort] = [await freePort(), await freePort()];
  origin = `http://app.${DOMAIN}:${pagePort}`;
  await new Promise<void>((resolve) => pageServer.listen(pagePort, '127.0.0.1', resolve));
  service = await TestService.start({ environment: { PORT: String(port) } });
  await service.app.listen(port, '127.0.0.1');
  await service.set(allowedOrigins, [origin]);
  await service.register('ann');
  const { client_id: clientId, client_secret: clientSecret = '' } = await guardClient(await service.admin());
  const options = { url: `http://127.0.0.1:${port}`, clientId, clientSecret };
  billing = await GuardedApp.start('express', options, { origin });
  castellanUrl = `http://id.${DOMAIN}:${port}`;
  billingUrl = `http://billing.${DOMAIN}:${new URL(billing.url).port}`;
}, 120_000);

afterAll(async () => {
  pageServer.close();
  pageServer.closeAllConnections();
  await billing.stop();
  await service.stop();
});

beforeEach(async () => {
  viewer = await openViewer(1280);
});

afterEach(async () => {
  await viewer.close();
  await service.set(cookieDomain, '');
  await service.set(shareRefreshCookie, false);
});

/** Sends a request from the page to Castellan, with cookies. Returns the status. */
const ask = (page: Page, path: string, body?: object): Promise<number> =>
  page.evaluate<number>(
    `fetch('${castellanUrl}${path}', {
      method: 'POST',
      credentials: 'include',
      ${body ? `headers: { 'content-type': 'application/json' }, body: '${JSON.stringify(body)}'` : ''}
    }).then(({ status }) => status)`,
  );

async function logIn(): Promise<Page> {
  const page = await viewer.context.newPage();
  await page.goto(origin);
  await untilTrue(page, 'window.client');
  const login = { type: 'password', username: 'ann', password: PASSWORD };
  expect(await ask(page, '/api/auth/login', login)).toBe(200);
  return page;
}

/** Calls the service from the page, with an assertion. Returns the status, and the cookies that the service received. */
async function callOnce(page: Page): Promise<{ status: number; cookies: string | undefined }> {
  const sent = page.waitForRequest((request) => request.url().startsWith(billingUrl) && request.method() === 'GET');
  const status = await page.evaluate<number>(
    `(async () => {
      const { createCastellanClient, createServiceFetch } = window.client;
      const castellan = createCastellanClient({ baseUrl: '${castellanUrl}' });
      const options = { baseUrl: '${billingUrl}', audience: 'urn:castellan:billing' };
      return (await createServiceFetch(castellan, options)('/invoices/me')).status;
    })()`,
  );
  return { status, cookies: (await (await sent).allHeaders())['cookie'] };
}

/** On a busy machine, a first answer of Castellan can take longer than the guard waits for it. */
const callBilling = (page: Page): ReturnType<typeof callOnce> =>
  eventually(
    () => callOnce(page),
    ({ status }) => status !== 503,
    20,
  );

/** The cookies of the session in the browser, each with the hosts that receive it. */
async function sessionCookies(): Promise<string[]> {
  const cookies = await viewer.context.cookies();
  return cookies
    .filter(({ name }) => /_(?:access|refresh)$/.test(name))
    .map(({ name, domain }) => `${name} ${domain}`)
    .sort();
}

describe('a page that calls another service', () => {
  it('is admitted by an assertion, without any cookie', async () => {
    const page = await logIn();
    expect(await callBilling(page)).toEqual({ status: 200, cookies: undefined });
    expect(await sessionCookies()).toEqual([`iam_access id.${DOMAIN}`, `iam_refresh id.${DOMAIN}`]);
  });

  it('sends no cookie either if a domain shares the access cookie', async () => {
    await service.set(cookieDomain, DOMAIN);
    expect(await callBilling(await logIn())).toEqual({ status: 200, cookies: undefined });
  });
});

describe('a service of the cookie domain', () => {
  beforeEach(() => service.set(cookieDomain, DOMAIN));

  it('receives the access cookie and never the refresh cookie', async () => {
    const page = await logIn();
    const response = await page.goto(`${billingUrl}/invoices/me`);
    expect(response?.status()).toBe(200);
    const { cookie = '' } = await response!.request().allHeaders();
    expect(cookie).toContain('iam_access=');
    expect(cookie).not.toContain('iam_refresh=');
    await page.goto(origin);
    expect(await ask(page, '/api/auth/refresh')).toBe(200);
    expect(await ask(page, '/api/auth/logout')).toBe(204);
    expect(await sessionCookies()).toEqual([]);
  });

  it('stops receiving the refresh cookie at the first refresh after it was shared', async () => {
    await service.set(shareRefreshCookie, true);
    const page = await logIn();
    expect(await sessionCookies()).toEqual([`iam_access .${DOMAIN}`, `iam_refresh .${DOMAIN}`]);
    await service.set(shareRefreshCookie, false);
    expect(await ask(page, '/api/auth/refresh')).toBe(200);
    expect(await sessionCookies()).toEqual([`iam_access .${DOMAIN}`, `iam_refresh id.${DOMAIN}`]);
    expect(await ask(page, '/api/auth/refresh')).toBe(200);
    expect(await ask(page, '/api/auth/logout')).toBe(204);
    expect(await sessionCookies()).toEqual([]);
  });

  it('leaves nothing behind when a shared session ends', async () => {
    await service.set(shareRefreshCookie, true);
    const page = await logIn();
    await service.set(shareRefreshCookie, false);
    expect(await ask(page, '/api/auth/logout')).toBe(204);
    expect(await sessionCookies()).toEqual([]);
  });
});
