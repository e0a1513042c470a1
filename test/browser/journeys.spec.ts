import type { Page } from 'playwright-core';
import { emailCodeRequired } from '../../src/auth';
import { mailFrom, smtpHost, smtpPort } from '../../src/messaging/delivery/delivery.settings';
import { ANN, ProviderSimulator } from '../support/provider-simulator';
import { SmtpSink } from '../support/servers/smtp-sink';
import { ADMIN, eventually, PASSWORD } from '../support/service/test-service';
import { expectGoodLooks } from './every-page';
import { logIn, openAccountMenu } from './people';
import { openViewer, pageForEach, serveForAll } from './stage';
import { complaintsOf } from './watch';

const served = serveForAll();
let smtp: SmtpSink;
let simulator: ProviderSimulator;

beforeAll(async () => {
  [smtp, simulator] = await Promise.all([SmtpSink.start(), ProviderSimulator.start()]);
  await served.service.set(smtpHost, '127.0.0.1');
  await served.service.set(smtpPort, smtp.port);
  await served.service.set(mailFrom, 'Castellan <castellan@example.com>');
});

afterAll(async () => {
  await Promise.all([smtp.stop(), simulator.stop()]);
});

/** Returns the code of the newest mail to an address, as the SMTP server received it. */
async function mailedCode(to: string): Promise<string> {
  const newest = (): string => smtp.mails.findLast((sunk) => sunk.to.includes(to))?.mail.text ?? '';
  const text = await eventually(
    async () => newest(),
    (mail) => mail !== '',
  );
  const code = /(?<!\d)\d{6}(?!\d)/.exec(text)?.[0];
  if (code === undefined) throw new Error(`No code in: ${text}`);
  return code;
}

const viewers = [
  { width: 390, locale: 'en-GB', suffix: 'en', codeSent: 'We sent a code to', send: 'Send code' },
  { width: 1280, locale: 'zh-CN', suffix: 'zh', codeSent: '验证码已发往', send: '发送验证码' },
] as const;

describe.each(viewers)('at $width px in $locale', ({ width, locale, suffix, codeSent, send }) => {
  const seen = pageForEach(width, { locale });
  let complaints: string[];

  beforeEach(() => {
    // The avatar's host at the simulated provider does not exist.
    complaints = complaintsOf(seen.page, /ERR_NAME_NOT_RESOLVED/);
  });

  afterEach(() => {
    expect(complaints).toEqual([]);
  });

  it('registers a user with a code from a real mail and logs in', async () => {
    const [username, email] = [`mailed_${suffix}`, `mailed_${suffix}@example.com`];
    await served.service.set(emailCodeRequired, true);
    try {
      await seen.page.goto(`${served.address}/register`);
      await seen.page.fill('input[autocomplete="username"]', username);
      await seen.page.fill('input[autocomplete="new-password"]', PASSWORD);
      await seen.page.fill('input[type="email"]', email);
      await seen.page.click(`text="${send}"`);
      await seen.page.waitForSelector(`text=${codeSent}`);
      await seen.page.fill('input[autocomplete="one-time-code"]', await mailedCode(email));
      await seen.page.click('button[type="submit"]');
      await seen.page.waitForURL(`${served.address}/account`);
    } finally {
      await served.service.set(emailCodeRequired, false);
    }
    await seen.page.waitForSelector(`text=${email}`);
  });

  it('links a third-party identity to an existing account', async () => {
    const [username, name] = [`binds_${suffix}`, `sim-${suffix}`];
    const admin = await served.service.admin();
    const label = 'House of Simulation';
    const person = { ...ANN, id: `id-${suffix}`, email: `third-${suffix}@idp.example` };
    simulator.someone = person;
    const made = await admin.post<{ id: string }>(
      '/api/oauth/provider',
      simulator.configuration('oidc', { name, label }),
    );
    expect(made.status).toBe(201);
    await served.service.register(username);
    try {
      await seen.page.goto(`${served.address}/login`);
      await seen.page.click(`a:has-text("${label}")`);
      await seen.page.waitForURL(`${served.address}/bind`);
      // The page names both sides: the identity at the provider and the service.
      await seen.page.waitForSelector(`main:has-text("${label}"):has-text("Castellan"):has-text("${person.name}")`);
      await expectGoodLooks(seen.page);
      await seen.page.fill('input[autocomplete^="username"]', username);
      await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
      await seen.page.click('button[type="submit"]');
      await seen.page.waitForURL(`${served.address}/account`);
      await seen.page.goto(`${served.address}/account/identities`);
      await seen.page.waitForSelector(`main:has-text("${label}")`);
    } finally {
      await admin.delete(`/api/oauth/provider/${made.body.id}`);
    }
  });

  it('resets a password and unlinks identities linked since the last reset', async () => {
    const [username, name] = [`resets_${suffix}`, `late-${suffix}`];
    const email = `${username}@example.com`;
    const admin = await served.service.admin();
    const body = simulator.configuration('oidc', { name, label: 'House of Strangers' });
    const made = await admin.post<{ id: string }>('/api/oauth/provider', body);
    const { body: user } = await admin.post<{ id: string }>('/api/user', { username, email, email_verified: true });
    const strangers = (hint: string): Promise<unknown> =>
      served.service.query(
        `INSERT INTO user_identity (id, user_id, provider_id, provider_name, provider_label, subject_hint)
         VALUES (gen_random_uuid(), $1, $2, $3, 'House of Strangers', $4)`,
        [user.id, made.body.id, name, hint],
      );
    const reset = async (unlink: boolean, said: string): Promise<void> => {
      smtp.mails.length = 0;
      await served.service.query('DELETE FROM verification_target');
      await seen.page.goto(`${served.address}/reset-password`);
      await seen.page.fill('input[type="email"]', email);
      await seen.page.click(`text="${send}"`);
      await seen.page.waitForSelector(`text=${codeSent}`);
      await seen.page.fill('input[autocomplete="one-time-code"]', await mailedCode(email));
      await seen.page.fill('input[autocomplete="new-password"]', `${PASSWORD} anew`);
      await seen.page.getByLabel(locale === 'zh-CN' ? '同时解除' : 'Also unlink').setChecked(unlink);
      await seen.page.click('button[type="submit"]');
      await seen.page.waitForSelector(`main:has-text("${said}"):has-text("House of Strangers")`);
      await expectGoodLooks(seen.page);
    };
    try {
      await strangers('first');
      await reset(false, locale === 'zh-CN' ? '仍可用来登录' : 'can still log in');
      await strangers('second');
      await reset(true, locale === 'zh-CN' ? '已解除关联' : 'have been unlinked');
      expect(await seen.page.getByText('first').count()).toBe(0);
      const left = await served.service.query('SELECT subject_hint FROM user_identity WHERE user_id = $1', [user.id]);
      expect(left).toEqual([{ subject_hint: 'first' }]);
    } finally {
      await admin.delete(`/api/oauth/provider/${made.body.id}?force=true`);
    }
  });
});

describe('sessions', () => {
  const seen = pageForEach(1280);

  it('refreshes the expired access tokens of two tabs with one refresh', async () => {
    await served.service.register('two_tabs');
    const tabs = [seen.page, await seen.context.newPage()];
    await logIn(tabs[0]!, served.address, 'two_tabs', PASSWORD);
    const refreshes: number[] = [];
    const expired = new Set<Page>();
    for (const tab of tabs) {
      tab.on('response', (answer) => {
        if (answer.url().endsWith('/api/auth/refresh')) refreshes.push(answer.status());
      });
      // Answers one request per tab as the service does for an expired access token. All later requests reach the
      // service.
      await tab.route('**/api/auth/me?*', async (route) => {
        if (expired.has(tab)) return route.continue();
        expired.add(tab);
        await eventually(
          async () => expired.size,
          (size) => size === tabs.length,
        );
        const problem = { type: 'about:blank', title: 'Login required', status: 401, code: 'token_expired' };
        return route.fulfill({ status: 401, contentType: 'application/problem+json', body: JSON.stringify(problem) });
      });
    }
    await Promise.all(tabs.map((tab) => tab.goto(`${served.address}/account/sessions`)));
    await Promise.all(tabs.map((tab) => tab.waitForSelector('text=This device')));
    expect(refreshes).toEqual([200]);
  });

  it('redirects an open page to the login after the session was ended elsewhere', async () => {
    await served.service.register('ended_elsewhere');
    const { page } = seen;
    await logIn(page, served.address, 'ended_elsewhere', PASSWORD, '/account/security');
    await page.waitForSelector('h1');
    const other = await served.service.logIn('ended_elsewhere');
    expect((await other.delete('/api/auth/sessions')).status).toBeLessThan(300);
    await page.click('nav a[href="/account/sessions"]');
    await page.waitForURL(`${served.address}/login?*`);
    await page.waitForSelector('text=Your session on this device has ended');
    await page.fill('input[autocomplete^="username"]', 'ended_elsewhere');
    await page.fill('input[autocomplete="current-password"]', PASSWORD);
    await page.click('button[type="submit"]');
    await page.waitForURL(`${served.address}/account/sessions`);
  });

  it.each([
    ['in another tab', `document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`],
    ['in a window beside it', `window.dispatchEvent(new Event('focus'))`],
  ])('shows nothing of the previous user after a login of another user %s', async (where, comesBack) => {
    const [before, after] = ['leaves', 'comes'].map((name) => `${name}_${where.length}`) as [string, string];
    await Promise.all([before, after].map((username) => served.service.register(username)));
    const { page } = seen;
    await logIn(page, served.address, before, PASSWORD);
    await page.getByLabel('Display name', { exact: true }).fill('Left behind');
    const other = await seen.context.newPage();
    await other.goto(`${served.address}/account`);
    await openAccountMenu(other);
    await other.getByRole('button', { name: 'Log out', exact: true }).click();
    await other.waitForURL(`${served.address}/login`);
    await logIn(other, served.address, after, PASSWORD);
    await page.evaluate(comesBack);
    await page.waitForSelector(`text=${after}`);
    expect(await page.getByLabel('Display name', { exact: true }).inputValue()).toBe('');
  });

  it('removes pages from the menu after their permission was revoked', async () => {
    const admin = await served.service.admin();
    const role = await admin.post<{ id: string }>('/api/role', {
      name: 'audit_reader',
      permissions: [{ permission_id: 'audit:read', level: 1 }],
    });
    const member = await served.service.signUp('reads_audit');
    const { body } = await member.get<{ id: string }>('/api/auth/me');
    const given = await admin.put(`/api/role/${role.body.id}/users`, { user_ids: [body.id] });
    expect([role.status, given.status]).toEqual([201, 200]);

    const { page } = seen;
    await logIn(page, served.address, 'reads_audit', PASSWORD);
    await page.click('nav a[href="/admin"]');
    await page.waitForURL(`${served.address}/admin/audit`);
    await page.waitForSelector('main table');

    const another = await openViewer(1280, { locale: 'en-GB' });
    try {
      const office = await another.context.newPage();
      await logIn(office, served.address, ADMIN.username, ADMIN.password, `/admin/roles/${role.body.id}`);
      await office.click('tr:has-text("audit:read") button');
      await office.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
      await office.waitForSelector('tr:has-text("audit:read")', { state: 'detached' });
    } finally {
      await another.close();
    }
    await page.goto(`${served.address}/admin/audit`);
    await page.waitForSelector('text=This page is not available');
    expect(await page.locator('nav a[href^="/admin"]').count()).toBe(0);
  });
});
