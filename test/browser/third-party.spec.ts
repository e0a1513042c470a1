import { createServer, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { ANN, ProviderSimulator } from '../support/provider-simulator';
import { register, Registered } from '../support/oauth';
import { freePort } from '../support/redis-server';
import { enrolTotp, freshCode } from '../support/second-factors';
import { PASSWORD, TestService } from '../support/test-service';
import { openBrowser, Viewer } from './browser';

const LABEL = 'House of Simulation';
let service: TestService;
let address: string;
let simulator: ProviderSimulator;
let app: Registered;
let appServer: Server;
let callback: string;
let browser: Viewer;
let page: Page;

beforeAll(async () => {
  // The port is known first, as it is in the issuer's name.
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  const environment = { PORT: String(port) };
  [service, simulator] = await Promise.all([TestService.start({ environment }), ProviderSimulator.start()]);
  await service.app.listen(port, '127.0.0.1');
  const admin = await service.admin();
  const made = await admin.post(
    '/api/oauth/provider',
    simulator.configuration('oidc', { name: 'sim', label: LABEL, trust_email: true }),
  );
  expect(made.status).toBe(201);
  appServer = createServer((_request, response) => response.end('the application'));
  await new Promise<void>((resolve) => appServer.listen(0, '127.0.0.1', resolve));
  callback = `http://127.0.0.1:${(appServer.address() as AddressInfo).port}/callback`;
  app = await register(admin, { first_party: true, redirect_uris: [callback] });
});

afterAll(async () => {
  appServer.closeAllConnections();
  appServer.close();
  await Promise.all([service.stop(), simulator.stop()]);
});

beforeEach(async () => {
  browser = await openBrowser(1280, { locale: 'en-GB' });
  page = await browser.context.newPage();
});

afterEach(() => browser.close());

/** As an application sends a browser that is to log in, which then goes to the third party. */
async function askForLogin(): Promise<void> {
  const asked = new URLSearchParams({
    client_id: app.client_id,
    response_type: 'code',
    redirect_uri: callback,
    scope: 'openid',
    state: 'its-own-state',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  await page.goto(`${address}/api/oauth/authorize?${asked.toString()}`);
  expect(page.url()).toContain(`${address}/login?interaction=`);
  await page.click(`a:has-text("${LABEL}")`);
}

/** Links whoever the simulator says comes, by the page that offers it. */
async function link(username: string): Promise<void> {
  await page.goto(`${address}/login`);
  await page.click(`a:has-text("${LABEL}")`);
  await page.waitForURL(`${address}/bind`);
  await page.fill('input[autocomplete^="username"]', username);
  await page.fill('input[autocomplete="current-password"]', PASSWORD);
  await page.click('button[type="submit"]');
  await page.waitForURL(`${address}/account`);
}

const isBack = (): Promise<void> => page.waitForURL(`${callback}?*state=its-own-state*`);

describe('an application that waits gets whoever logs in at a third party', () => {
  it('and is known here: without a second login', async () => {
    simulator.someone = { ...ANN, id: 'known-here', email: 'known@idp.example' };
    await service.register('known_here');
    await link('known_here');
    await browser.context.clearCookies();
    await askForLogin();
    await isBack();
  });

  it('and proves a second factor after it', async () => {
    simulator.someone = { ...ANN, id: 'two-steps', email: 'two@idp.example' };
    const client = await service.signUp('two_steps');
    await link('two_steps');
    const { secret } = await enrolTotp(client);
    await browser.context.clearCookies();
    await askForLogin();
    await page.waitForURL(`${address}/login/mfa?*`);
    await page.fill('input[autocomplete="one-time-code"]', await freshCode(service, secret));
    await page.click('button[type="submit"]');
    await isBack();
  });

  it('and links the account they have on the way', async () => {
    simulator.someone = { ...ANN, id: 'on-the-way', email: 'way@idp.example' };
    await service.register('on_the_way');
    await askForLogin();
    await page.waitForURL(`${address}/bind`);
    await page.fill('input[autocomplete^="username"]', 'on_the_way');
    await page.fill('input[autocomplete="current-password"]', PASSWORD);
    await page.click('button[type="submit"]');
    await isBack();
  });
});

it('whoever comes back to log in with no session is asked to log in, and is not told that all is over', async () => {
  await page.goto(`${address}/login?interaction=${'u'.repeat(32)}&logged_in`);
  await page.waitForSelector('h1:text-is("Log in")');
});
