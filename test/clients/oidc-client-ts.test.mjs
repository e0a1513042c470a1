import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { application } from './application.mjs';
import { endSessions, ISSUER, PASSWORD, person, register } from './service.mjs';

const library = join(
  dirname(createRequire(import.meta.url).resolve('oidc-client-ts/package.json')),
  'dist/browser/oidc-client-ts.min.js',
);
let app;
let browser;
let settings;

/** Pages from the documentation of the library: one that starts, one that the popup or redirect returns to. */
const page = (script) =>
  `<!doctype html><title>App</title><script src="/library.js"></script><script>
  const settings = ${settings};
  const manager = new oidc.UserManager(settings);
  ${script}</script>`;

before(async () => {
  app = await application();
  const [authority, origin] = [ISSUER, app.url];
  // <registration>
  const registration = {
    is_public: true,
    redirect_uris: [`${origin}/callback`],
    post_logout_redirect_uris: [`${origin}/`],
    scopes: ['openid', 'profile', 'offline_access'],
  };
  // </registration>
  const { client_id: clientId } = await register({ name: 'oidc-client-ts', ...registration });
  // <configuration>
  const configuration = {
    authority,
    client_id: clientId,
    redirect_uri: `${origin}/callback`,
    post_logout_redirect_uri: `${origin}/`,
    scope: 'openid profile offline_access',
    revokeTokensOnSignout: true,
    loadUserInfo: true,
  };
  // </configuration>
  settings = JSON.stringify(configuration);
  const script = await readFile(library);
  app.use((request, response) => {
    if (request.url === '/library.js') return response.end(script);
    response.setHeader('content-type', 'text/html');
    return response.end(page(request.url.startsWith('/callback') ? 'window.returned = manager.signinCallback();' : ''));
  });
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
});

after(async () => {
  await browser?.close();
  app?.close();
});

/** A separate browser without a login. */
async function open(user) {
  const context = await browser.newContext({ locale: 'en-US' });
  const tab = await context.newPage();
  await tab.goto(app.url);
  return { user, context, tab };
}

/** The user's input on the pages of the service: login and consent. */
async function answer(tab, { username }) {
  await tab.waitForURL((url) => url.pathname === '/login');
  await tab.getByLabel('Username, e-mail or phone').fill(username);
  await tab.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await tab.click('button[type=submit]');
  await tab.waitForURL((url) => url.pathname === '/consent');
  await tab.getByRole('button', { name: 'Allow', exact: true }).click();
}

const nameOf = (tab) => tab.evaluate(async () => (await manager.getUser())?.profile.preferred_username ?? null);

async function logInByPopup(user) {
  const seen = await open(user);
  const popup = seen.context.waitForEvent('page');
  const signedIn = seen.tab.evaluate(async () => (await manager.signinPopup()).profile.preferred_username);
  await answer(await popup, user);
  assert.equal(await signedIn, user.username);
  return seen;
}

async function logInByRedirect(user) {
  const seen = await open(user);
  await seen.tab.evaluate(() => void manager.signinRedirect());
  await answer(seen.tab, user);
  await seen.tab.waitForURL((url) => url.pathname === '/callback');
  const name = await seen.tab.evaluate(async () => (await window.returned).profile.preferred_username);
  assert.equal(name, user.username);
  return seen;
}

for (const [way, logIn] of [
  ['popup', logInByPopup],
  ['redirect', logInByRedirect],
]) {
  test(`logs in by a ${way}, refreshes, revokes and logs out`, async () => {
    const { context, tab } = await logIn(await person());
    const refreshed = await tab.evaluate(async () => {
      const former = (await manager.getUser()).access_token;
      return (await manager.signinSilent()).access_token !== former;
    });
    assert.equal(refreshed, true);

    const revoked = tab.waitForResponse((response) => response.url().endsWith('/api/oauth/revoke'));
    await tab.evaluate(() => void manager.signoutRedirect());
    assert.equal((await revoked).status(), 200);
    await tab.waitForURL((url) => url.pathname === '/api/oauth/logout');
    await tab.click('button[value=yes]');
    await tab.waitForURL((url) => url.origin === app.url);
    assert.equal(await nameOf(tab), null);
    await context.close();
  });

  test(`logs in by a ${way}, and cannot refresh after an administrator ended the session`, async () => {
    const { user, context, tab } = await logIn(await person());
    await user.logIn();
    await endSessions(user);
    const refused = await tab.evaluate(() => manager.signinSilent().then(String, (error) => error.error));
    assert.equal(refused, 'invalid_grant');
    await context.close();
  });
}
