import { createServer, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { termsVersion } from '../../src/users';
import { storedUser } from '../support/accounts/accounts';
import { ANN, ProviderSimulator } from '../support/provider-simulator';
import { register, Registered } from '../support/oauth/oauth';
import { enrolTotp, freshCode } from '../support/accounts/second-factors';
import { requireTerms, resetTerms } from '../support/accounts/terms';
import { PASSWORD } from '../support/service/test-service';
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

/** An authorization request of the application. */
function authorizeUrl(): string {
  const asked = new URLSearchParams({
    client_id: app.client_id,
    response_type: 'code',
    redirect_uri: callback,
    scope: 'openid',
    state: 'its-own-state',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  return `${served.address}/api/oauth/authorize?${asked.toString()}`;
}

/** Starts an authorization request of the application and clicks the login provider. */
async function askForLogin(button: 'left' | 'middle' = 'left'): Promise<void> {
  await seen.page.goto(authorizeUrl());
  expect(seen.page.url()).toContain(`${served.address}/login?interaction=`);
  await seen.page.click(`a:has-text("${LABEL}")`, { button });
}

/** Links the provider's current identity to the account on the linking page. */
async function link(username: string): Promise<void> {
  await seen.page.goto(`${served.address}/login`);
  await seen.page.click(`a:has-text("${LABEL}")`);
  await seen.page.waitForURL(`${served.address}/bind`);
  await seen.page.fill('input[autocomplete^="username"]', username);
  await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
  await seen.page.click('button[type="submit"]');
  await seen.page.waitForURL(`${served.address}/account`);
  // Leave the page, which still loads the user: without cookies it would redirect to the login.
  await seen.page.goto('about:blank');
}

const isBack = (): Promise<void> => seen.page.waitForURL(`${callback}?*state=its-own-state*`);

describe('application with a login through a provider', () => {
  it('gets a code for a linked identity without a second login', async () => {
    simulator.someone = { ...ANN, id: 'known-here', email: 'known@idp.example' };
    await served.service.register('known_here');
    await link('known_here');
    await seen.context.clearCookies();
    await askForLogin();
    await isBack();
  });

  it('gets a code after the second factor', async () => {
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

  it('gets a code after the user links an account', async () => {
    simulator.someone = { ...ANN, id: 'on-the-way', email: 'way@idp.example' };
    await served.service.register('on_the_way');
    await askForLogin();
    await seen.page.waitForURL(`${served.address}/bind`);
    await seen.page.fill('input[autocomplete^="username"]', 'on_the_way');
    await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
    await seen.page.click('button[type="submit"]');
    await isBack();
  });

  it('gets a code after the user links an account in another tab', async () => {
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

  it('gets a code in its popup although the user first denies the login at the provider', async () => {
    await served.service.register('thinks_again');
    simulator.override('GET /oidc/authorize', ({ query }, response) => {
      const denied = new URLSearchParams({ error: 'access_denied', state: query['state'] ?? '' });
      response.writeHead(302, { location: `${query['redirect_uri'] ?? ''}?${denied.toString()}` }).end();
      return undefined;
    });
    await seen.page.goto(callback);
    const opened = seen.context.waitForEvent('page');
    await seen.page.evaluate(`void (window.popup = window.open(${JSON.stringify(authorizeUrl())}))`);
    const popup = await opened;
    await popup.click(`a:has-text("${LABEL}")`);
    await popup.waitForURL(`${served.address}/error?code=provider_denied&interaction=*`);
    simulator.restore();
    const isClosed = (): Promise<unknown> => seen.page.evaluate('window.popup.closed');
    expect(await isClosed()).toBe(false);
    await popup.click('a.primary');
    await popup.fill('input[autocomplete^="username"]', 'thinks_again');
    await popup.fill('input[autocomplete="current-password"]', PASSWORD);
    await popup.click('button[type="submit"]');
    await popup.waitForURL(`${callback}?*state=its-own-state*`);
    expect(await isClosed()).toBe(false);
  });
});

it('shows the login and no error if the session is missing on return', async () => {
  await seen.page.goto(`${served.address}/login?interaction=${'u'.repeat(32)}&logged_in`);
  await seen.page.waitForSelector('h1:text-is("Log in")');
});

describe('with terms', () => {
  afterEach(() => resetTerms(served.service));

  it('creates an account after they change while the page is open', async () => {
    const { service } = served;
    simulator.someone = { ...ANN, id: 'agrees-newly', email: 'agrees@idp.example' };
    await requireTerms(service);
    await seen.page.goto(`${served.address}/login`);
    await seen.page.click(`a:has-text("${LABEL}")`);
    await seen.page.waitForURL(`${served.address}/bind`);
    await seen.page.getByRole('button', { name: "I don't have an account yet", exact: true }).click();
    await seen.page.getByLabel('Username').fill('agrees_newly');
    const box = seen.page.getByLabel('I agree to the terms of use');
    await box.check();
    await service.set(termsVersion, '2026-02');
    await seen.page.click('button[type="submit"]');
    await box.and(seen.page.locator(':not(:checked)')).waitFor();
    await box.check();
    await seen.page.click('button[type="submit"]');
    await seen.page.waitForURL(`${served.address}/account`);
    expect(await storedUser(service, 'agrees_newly')).toMatchObject({ terms_version: '2026-02' });
  });
});
