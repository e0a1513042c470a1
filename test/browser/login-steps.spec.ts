import type { Route } from 'playwright-core';
import { PASSWORD } from '../support/test-service';
import { pageForEach, serveForAll } from './stage';
import { accessibilityFaults } from './watch';

const served = serveForAll();
const seen = pageForEach(390);

const button = (name: string | RegExp) => seen.page.getByRole('button', { name, exact: true });
const alert = () => seen.page.getByRole('alert');

const refuse =
  (status: number, code: string, detail: string) =>
  (route: Route): Promise<void> =>
    route.fulfill({
      status,
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: 'about:blank', title: code, status, code, detail }),
    });
const BUSY = 'Too busy just now.';
const busy = refuse(503, 'unavailable', BUSY);

const LOGIN = '**/api/auth/login?*';
const SECOND_STEP = '**/api/auth/login/mfa?*';
const CODES = '**/api/auth/codes?*';
const challenge = { mfa_required: true, mfa_token: 't'.repeat(43), methods: ['totp', 'recovery'] };

/** The information that the server writes into the page, with another say. */
const pretend = (change: (html: string) => string) =>
  seen.page.route(/\/(login|reset-password|bind)$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: change(await response.text()) });
  });

const withPasskeys = (html: string): string => html.replace(/("type":"passkey","enabled":)false/, '$1true');

const fillIn = async (): Promise<void> => {
  await seen.page.fill('input[autocomplete^="username"]', 'somebody');
  await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
  await seen.page.click('button[type="submit"]');
};

describe('the second step', () => {
  it('says of a way only what went wrong with that way', async () => {
    await seen.page.route(LOGIN, (route) => route.fulfill({ json: challenge }));
    await seen.page.route(SECOND_STEP, refuse(400, 'code_invalid', 'The code is wrong.'));
    await seen.page.goto(`${served.address}/login`);
    await fillIn();
    await seen.page.getByLabel('Code from your authenticator app').fill('123456');
    await button('Confirm').click();
    await alert().getByText('The code is wrong.').waitFor();
    await button('Use a recovery code').click();
    await seen.page.getByLabel('Recovery code').waitFor();
    expect(await seen.page.getByText('The code is wrong.').count()).toBe(0);
    expect(await accessibilityFaults(seen.page)).toEqual([]);
  });

  it('has the focus in its field, whichever way is chosen', async () => {
    await seen.page.route(LOGIN, (route) => route.fulfill({ json: challenge }));
    await seen.page.goto(`${served.address}/login`);
    await fillIn();
    await seen.page.getByLabel('Code from your authenticator app').waitFor();
    await seen.page.keyboard.type('12');
    expect(await seen.page.getByLabel('Code from your authenticator app').inputValue()).toBe('12');
    await button('Use a recovery code').click();
    await seen.page.getByLabel('Recovery code').waitFor();
    await seen.page.keyboard.type('ab');
    expect(await seen.page.getByLabel('Recovery code').inputValue()).toBe('ab');
  });

  it('after a third party is asked for again where the service was busy, and never for a login in its place', async () => {
    await seen.page.route(SECOND_STEP, busy);
    await seen.page.goto(`${served.address}/login/mfa`);
    await alert().getByText(BUSY).waitFor();
    expect(await seen.page.textContent('h1')).toBe('Confirm it is you');
    await seen.page.route(SECOND_STEP, (route) => route.fulfill({ json: { methods: ['totp'] } }));
    await button('Try again').click();
    await seen.page.getByLabel('Code from your authenticator app').waitFor();
  });

  it('that has ended is said to have, above the login that begins anew', async () => {
    await seen.page.goto(`${served.address}/login/mfa`);
    await seen.page.waitForSelector('h1:text-is("Log in")');
    expect(await alert().textContent()).toMatch(/log in again/);
  });
});

it('what takes the place of a page is begun at its heading', async () => {
  await seen.page.goto(`${served.address}/register`);
  await seen.page.fill('input[autocomplete="username"]', 'hears_pages');
  await seen.page.fill('input[autocomplete="new-password"]', PASSWORD);
  await seen.page.click('button[type="submit"]');
  await seen.page.waitForSelector('h1:text-is("Your account is ready")');
  await seen.page.locator('h1:focus').waitFor();
  expect(await seen.page.title()).toBe('Your account is ready · Castellan');
});

it('a passkey that is refused is told of where there is no other way in', async () => {
  await pretend((html) => withPasskeys(html).replace(/("type":"(?:password|email|sms)","enabled":)true/g, '$1false'));
  await seen.page.route('**/api/auth/login/passkey/options?*', busy);
  await seen.page.goto(`${served.address}/login`);
  await button('Use a passkey').click();
  await alert().getByText(BUSY).waitFor();
  expect(await seen.page.locator('input').count()).toBe(0);
  await seen.page.selectOption('footer select', 'zh');
  await seen.page.waitForSelector('h1:text-is("登录")');
  await alert().getByText(BUSY).waitFor({ state: 'detached' });
});

it('a form that is under way stays closed, however long ago the step before it was', async () => {
  await seen.page.clock.install();
  await pretend(withPasskeys);
  await seen.page.route('**/api/auth/login/passkey/options?*', (route) =>
    route.fulfill({ json: { challenge: 'AAAA', rpId: 'elsewhere.example' } }),
  );
  await seen.page.goto(`${served.address}/login`);
  await button('Use a passkey').click();
  await alert().getByText('The passkey was not used').waitFor();
  await seen.page.clock.fastForward(4_000);
  let answer: () => void = () => undefined;
  await seen.page.route(LOGIN, async (route) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    await busy(route);
  });
  const asked = seen.page.waitForRequest(LOGIN);
  await fillIn();
  await asked;
  await seen.page.clock.fastForward(2_000);
  expect(await seen.page.isDisabled('button[type="submit"]')).toBe(true);
  answer();
  await alert().getByText(BUSY).waitFor();
});

describe('a code', () => {
  const sent = { json: { resend_after: 60, expires_in: 300 } };

  it('may be sent again once its time has come, even if the page slept meanwhile', async () => {
    await seen.page.clock.install();
    await seen.page.route(CODES, (route) => route.fulfill(sent));
    await seen.page.goto(`${served.address}/register`);
    await seen.page.fill('input[type="email"]', 'sleeps@example.com');
    await button('Send code').click();
    await button(/^Send again in \d+ s$/).waitFor();
    await seen.page.clock.fastForward(61_000);
    await button('Send code').waitFor();
    expect(await button('Send code').isEnabled()).toBe(true);
  });

  it('for a number is another than one for an address', async () => {
    await pretend((html) => html.replace(/"channels":\[[^\]]*\]/, '"channels":["email","sms"]'));
    await seen.page.route(CODES, (route) => route.fulfill(sent));
    await seen.page.goto(`${served.address}/reset-password`);
    await seen.page.fill('input[type="email"]', 'channels@example.com');
    await button('Send code').click();
    await seen.page.waitForSelector('text=We sent a code to channels@example.com');
    await seen.page.fill('input[autocomplete="one-time-code"]', '123456');
    await seen.page.getByLabel('Phone number').check();
    await seen.page.fill('input[type="tel"]', '+8613800138000');
    expect(await button('Send code').isEnabled()).toBe(true);
    expect(await seen.page.inputValue('input[autocomplete="one-time-code"]')).toBe('');
    expect(await seen.page.getByText('We sent a code to').count()).toBe(0);
  });

  it('that was not sent is no wrong code, and is said aloud', async () => {
    await seen.page.route(CODES, busy);
    await seen.page.goto(`${served.address}/register`);
    await seen.page.fill('input[type="email"]', 'busy@example.com');
    await button('Send code').click();
    await seen.page.getByRole('status').getByText(BUSY).waitFor();
    expect(await seen.page.locator('[aria-invalid="true"]').count()).toBe(0);
  });
});

describe('an account to link a third party’s to', () => {
  /** An authenticator that answers at once; what it says is not looked at here. */
  const AUTHENTICATOR = `
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    const bytes = new Uint8Array([1]).buffer;
    navigator.credentials.get = async () => ({
      id: 'AQ', rawId: bytes, type: 'public-key', getClientExtensionResults: () => ({}),
      response: { authenticatorData: bytes, clientDataJSON: bytes, signature: bytes },
    });`;

  it('may be proven by a passkey, which is sent to where it links', async () => {
    await seen.context.addInitScript(AUTHENTICATOR);
    await pretend(withPasskeys);
    const offer = { provider: 'sim', label: 'House', profile: { nickname: 'Ann', email: null, avatar: null } };
    await seen.page.route('**/api/oauth/bind?*', (route) => route.fulfill({ json: offer }));
    await seen.page.route('**/api/auth/login/passkey/options?*', (route) =>
      route.fulfill({ json: { challenge: 'AQ', rpId: '127.0.0.1', allowCredentials: [] } }),
    );
    let sent: unknown;
    await seen.page.route('**/api/oauth/bind/login?*', (route) => {
      sent = route.request().postDataJSON();
      return refuse(401, 'invalid_credentials', 'No such passkey.')(route);
    });
    await seen.page.goto(`${served.address}/bind`);
    await button('Use a passkey').click();
    await alert().getByText('No such passkey.').waitFor();
    expect(sent).toMatchObject({ type: 'passkey', response: { id: 'AQ' } });
    expect(await accessibilityFaults(seen.page)).toEqual([]);
  });
});
