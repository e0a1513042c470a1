import { createServer, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ANN, ProviderSimulator } from '../support/provider-simulator';
import { register, Registered } from '../support/oauth';
import { enrolTotp, freshCode } from '../support/second-factors';
import { PASSWORD } from '../support/test-service';
import { pageForEach, serveIssuerForAll } from './stage';

const LABEL = 'House of Simulation';
const served = serveIssuerForAll();
const seen = pageForEach(1280);
let simulator: ProviderSimulator;
let app: Registered;
let appServer: Server;
let callback: string;

beforeAll(async () => {
  simulator = await ProviderSimulator.start();
  const admin = await served.service.admin();
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
  await simulator.stop();
});

/** As an application sends a browser that is to log in, which then goes to the third party. */
async function askForLogin(button: 'left' | 'middle' = 'left'): Promise<void> {
  const asked = new URLSearchParams({
    client_id: app.client_id,
    response_type: 'code',
    redirect_uri: callback,
    scope: 'openid',
    state: 'its-own-state',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  await seen.page.goto(`${served.address}/api/oauth/authorize?${asked.toString()}`);
  expect(seen.page.url()).toContain(`${served.address}/login?interaction=`);
  await seen.page.click(`a:has-text("${LABEL}")`, { button });
}

/** Links whoever the simulator says comes, by the page that offers it. */
async function link(username: string): Promise<void> {
  await seen.page.goto(`${served.address}/login`);
  await seen.page.click(`a:has-text("${LABEL}")`);
  await seen.page.waitForURL(`${served.address}/bind`);
  await seen.page.fill('input[autocomplete^="username"]', username);
  await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
  await seen.page.click('button[type="submit"]');
  await seen.page.waitForURL(`${served.address}/account`);
  // The page that was led to still asks who is logged in: if its cookies were taken meanwhile, it would leave for the login.
  await seen.page.goto('about:blank');
}

const isBack = (): Promise<void> => seen.page.waitForURL(`${callback}?*state=its-own-state*`);

describe('an application that waits gets whoever logs in at a third party', () => {
  it('and is known here: without a second login', async () => {
    simulator.someone = { ...ANN, id: 'known-here', email: 'known@idp.example' };
    await served.service.register('known_here');
    await link('known_here');
    await seen.context.clearCookies();
    await askForLogin();
    await isBack();
  });

  it('and proves a second factor after it', async () => {
    simulator.someone = { ...ANN, id: 'two-steps', email: 'two@idp.example' };
    const client = await served.service.signUp('two_steps');
    await link('two_steps');
    const { secret } = await enrolTotp(client);
    await seen.context.clearCookies();
    await askForLogin();
    await seen.page.waitForURL(`${served.address}/login/mfa?*`);
    await seen.page.fill('input[autocomplete="one-time-code"]', await freshCode(served.service, secret));
    await seen.page.click('button[type="submit"]');
    await isBack();
  });

  it('and links the account they have on the way', async () => {
    simulator.someone = { ...ANN, id: 'on-the-way', email: 'way@idp.example' };
    await served.service.register('on_the_way');
    await askForLogin();
    await seen.page.waitForURL(`${served.address}/bind`);
    await seen.page.fill('input[autocomplete^="username"]', 'on_the_way');
    await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
    await seen.page.click('button[type="submit"]');
    await isBack();
  });

  it('and links the account they have in another tab', async () => {
    simulator.someone = { ...ANN, id: 'other-tab', email: 'tab@idp.example' };
    await served.service.register('other_tab');
    const opened = seen.context.waitForEvent('page');
    await askForLogin('middle');
    const other = await opened;
    await other.waitForURL(`${served.address}/bind`);
    await other.fill('input[autocomplete^="username"]', 'other_tab');
    await other.fill('input[autocomplete="current-password"]', PASSWORD);
    await other.click('button[type="submit"]');
    await other.waitForURL(`${callback}?*state=its-own-state*`);
  });
});

it('whoever comes back to log in with no session is asked to log in, and is not told that all is over', async () => {
  await seen.page.goto(`${served.address}/login?interaction=${'u'.repeat(32)}&logged_in`);
  await seen.page.waitForSelector('h1:text-is("Log in")');
});
