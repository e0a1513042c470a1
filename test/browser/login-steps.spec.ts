import type { Route } from 'playwright-core';
import { trustedDeviceDays } from '../../src/mfa';
import { PASSWORD } from '../support/service/test-service';
import { pageForEach, serveForAll } from './stage';
import { accessibilityFaults } from './watch';

const served = serveForAll();
const seen = pageForEach(390);

const button = (name: string | RegExp) => seen.page.getByRole('button', { name, exact: true });
const alert = () => seen.page.getByRole('alert');
const focused = (label: string) => seen.page.getByLabel(label).and(seen.page.locator(':focus'));

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

/** Changes the data that the server writes into the page. */
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

describe('second step', () => {
  it('shows an error only at the factor that it is about', async () => {
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

  it.each([
    { days: 0, label: undefined },
    { days: 1, label: "Don't ask again on this device for 1 day" },
    { days: 30, label: "Don't ask again on this device for 30 days" },
  ])('offers to trust the device for the $days days of the setting', async ({ days, label }) => {
    await served.service.set(trustedDeviceDays, days);
    await seen.page.route(LOGIN, (route) => route.fulfill({ json: challenge }));
    await seen.page.goto(`${served.address}/login`);
    await fillIn();
    await seen.page.getByLabel('Code from your authenticator app').waitFor();
    expect(await seen.page.locator('.check').allTextContents()).toEqual(label === undefined ? [] : [label]);
    await served.service.set(trustedDeviceDays, trustedDeviceDays.defaultValue);
  });

  it('focuses the input of the chosen factor', async () => {
    await seen.page.route(LOGIN, (route) => route.fulfill({ json: challenge }));
    await seen.page.goto(`${served.address}/login`);
    await fillIn();
    await focused('Code from your authenticator app').waitFor();
    await seen.page.keyboard.type('12');
    expect(await seen.page.getByLabel('Code from your authenticator app').inputValue()).toBe('12');
    await button('Use a recovery code').click();
    await focused('Recovery code').waitFor();
    await seen.page.keyboard.type('ab');
    expect(await seen.page.getByLabel('Recovery code').inputValue()).toBe('ab');
  });

  it('retries a failed request after a third-party login and requires no second login', async () => {
    await seen.page.route(SECOND_STEP, busy);
    await seen.page.goto(`${served.address}/login/mfa`);
    await alert().getByText(BUSY).waitFor();
    expect(await seen.page.textContent('h1')).toBe('Confirm it is you');
    await seen.page.route(SECOND_STEP, (route) => route.fulfill({ json: { methods: ['totp'] } }));
    await button('Try again').click();
    await seen.page.getByLabel('Code from your authenticator app').waitFor();
  });

  it('shows the login with an error if the MFA token has expired', async () => {
    await seen.page.goto(`${served.address}/login/mfa`);
    await seen.page.waitForSelector('h1:text-is("Log in")');
    expect(await alert().textContent()).toMatch(/log in again/);
  });
});

it('focuses the heading of a page that replaces another', async () => {
  // Without passwords as a login method, the page leads to the login instead.
  await seen.page.route('**/api/auth/login?*', refuse(403, 'login_method_disabled', 'Log in another way.'));
  await seen.page.goto(`${served.address}/register`);
  await seen.page.fill('input[autocomplete="username"]', 'hears_pages');
  await seen.page.fill('input[autocomplete="new-password"]', PASSWORD);
  await seen.page.click('button[type="submit"]');
  await seen.page.waitForSelector('h1:text-is("Your account is ready")');
  await seen.page.locator('h1:focus').waitFor();
  expect(await seen.page.title()).toBe('Your account is ready · Castellan');
});

it('shows a passkey error if passkeys are the only login method', async () => {
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

it('keeps a form disabled during its request, even after an earlier step', async () => {
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

describe('verification code', () => {
  const sent = { json: { resend_after: 60, expires_in: 300 } };

  it('can be sent again after the wait, even if the page slept', async () => {
    await seen.page.clock.install();
    await seen.page.route(CODES, (route) => route.fulfill(sent));
    await seen.page.goto(`${served.address}/register`);
    await seen.page.fill('input[type="email"]', 'sleeps@example.com');
    await button('Send code').click();
    await button(/^Resend in \d+ s$/).waitFor();
    await seen.page.clock.fastForward(61_000);
    await button('Send code').waitFor();
    expect(await button('Send code').isEnabled()).toBe(true);
  });

  it('is cleared when the channel changes', async () => {
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

  it('shows a sending error as a status, not as a field error', async () => {
    await seen.page.route(CODES, busy);
    await seen.page.goto(`${served.address}/register`);
    await seen.page.fill('input[type="email"]', 'busy@example.com');
    await button('Send code').click();
    await seen.page.getByRole('status').getByText(BUSY).waitFor();
    expect(await seen.page.locator('[aria-invalid="true"]').count()).toBe(0);
  });
});

describe('account linking', () => {
  /** Fake authenticator. The service's response is mocked, so the content does not matter. */
  const AUTHENTICATOR = `
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    const bytes = new Uint8Array([1]).buffer;
    navigator.credentials.get = async () => ({
      id: 'AQ', rawId: bytes, type: 'public-key', getClientExtensionResults: () => ({}),
      response: { authenticatorData: bytes, clientDataJSON: bytes, signature: bytes },
    });`;

  it('hides a picture that does not load', async () => {
    const profile = { nickname: 'Ann', email: null, avatar: `${served.address}/api/avatar/gone.png` };
    await seen.page.route('**/api/oauth/bind?*', (route) =>
      route.fulfill({ json: { provider: 'sim', label: 'House', profile } }),
    );
    await seen.page.goto(`${served.address}/bind`);
    await seen.page.getByText('Ann').waitFor();
    await seen.page.locator('main img').waitFor({ state: 'detached' });
  });

  it('accepts a passkey and sends it to the linking route', async () => {
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
