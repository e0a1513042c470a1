import type { Page } from 'playwright-core';
import { emailCodeRequired } from '../../src/auth';
import { mailFrom, smtpHost, smtpPort } from '../../src/verification/delivery/delivery.settings';
import { ANN, ProviderSimulator } from '../support/provider-simulator';
import { SmtpSink } from '../support/smtp-sink';
import { ADMIN, eventually, PASSWORD, TestService } from '../support/test-service';
import { openBrowser, Viewer } from './browser';
import { expectGoodLooks } from './every-page';
import { logIn } from './people';
import { complaintsOf } from './watch';

let service: TestService;
let address: string;
let smtp: SmtpSink;
let simulator: ProviderSimulator;

beforeAll(async () => {
  [service, smtp, simulator] = await Promise.all([TestService.start(), SmtpSink.start(), ProviderSimulator.start()]);
  await service.app.listen(0, '127.0.0.1');
  address = await service.app.getUrl();
  await service.set(smtpHost, '127.0.0.1');
  await service.set(smtpPort, smtp.port);
  await service.set(mailFrom, 'Castellan <castellan@example.com>');
});

afterAll(async () => {
  await Promise.all([service.stop(), smtp.stop(), simulator.stop()]);
});

/** The code in the newest mail to an address, as the mail server took it in. */
async function mailedCode(to: string): Promise<string> {
  const newest = (): string => smtp.mails.findLast((sunk) => sunk.to.includes(to))?.mail.text ?? '';
  const text = await eventually(
    async () => newest(),
    (mail) => mail !== '',
  );
  const code = /(?<!\d)\d{6}(?!\d)/.exec(text)?.[0];
  if (code === undefined) throw new Error(`No code is in ${text}`);
  return code;
}

const viewers = [
  { width: 390, locale: 'en-GB', suffix: 'en', codeSent: 'A code is on its way', send: 'Send code' },
  { width: 1280, locale: 'zh-CN', suffix: 'zh', codeSent: '验证码已发往', send: '发送验证码' },
] as const;

describe.each(viewers)('at $width px in $locale', ({ width, locale, suffix, codeSent, send }) => {
  let browser: Viewer;
  let page: Page;
  let complaints: string[];

  beforeEach(async () => {
    browser = await openBrowser(width, { locale });
    page = await browser.context.newPage();
    // The picture at the simulated provider is nowhere.
    complaints = complaintsOf(page, /ERR_NAME_NOT_RESOLVED/);
  });

  afterEach(async () => {
    await browser.close();
    expect(complaints).toEqual([]);
  });

  it('somebody registers with a code from a real mail, and logs in', async () => {
    const [username, email] = [`mailed_${suffix}`, `mailed_${suffix}@example.com`];
    await service.set(emailCodeRequired, true);
    try {
      await page.goto(`${address}/register`);
      await page.fill('input[autocomplete="username"]', username);
      await page.fill('input[autocomplete="new-password"]', PASSWORD);
      await page.fill('input[type="email"]', email);
      await page.click(`text="${send}"`);
      await page.waitForSelector(`text=${codeSent}`);
      await page.fill('input[autocomplete="one-time-code"]', await mailedCode(email));
      await page.click('button[type="submit"]');
      await page.click('a.primary');
      await page.waitForURL(`${address}/login`);
    } finally {
      await service.set(emailCodeRequired, false);
    }
    await logIn(page, address, username, PASSWORD);
    await page.waitForSelector(`text=${email}`);
  });

  it('somebody comes from a third party and links the account they have', async () => {
    const [username, name] = [`binds_${suffix}`, `sim-${suffix}`];
    const admin = await service.admin();
    const label = 'House of Simulation';
    const person = { ...ANN, id: `id-${suffix}`, email: `third-${suffix}@idp.example` };
    simulator.someone = person;
    const made = await admin.post<{ id: string }>(
      '/api/oauth/provider',
      simulator.configuration('oidc', { name, label }),
    );
    expect(made.status).toBe(201);
    await service.register(username);
    try {
      await page.goto(`${address}/login`);
      await page.click(`a:has-text("${label}")`);
      await page.waitForURL(`${address}/bind`);
      // Both sides: who comes from there, and what it is to be linked to here.
      await page.waitForSelector(`main:has-text("${label}"):has-text("Castellan"):has-text("${person.name}")`);
      await expectGoodLooks(page);
      await page.fill('input[autocomplete^="username"]', username);
      await page.fill('input[autocomplete="current-password"]', PASSWORD);
      await page.click('button[type="submit"]');
      await page.waitForURL(`${address}/account`);
      await page.goto(`${address}/account/identities`);
      await page.waitForSelector(`main:has-text("${label}")`);
    } finally {
      await admin.delete(`/api/oauth/provider/${made.body.id}`);
    }
  });
});

describe('sessions', () => {
  let browser: Viewer;

  beforeEach(async () => {
    browser = await openBrowser(1280, { locale: 'en-GB' });
  });

  afterEach(() => browser.close());

  it('two tabs whose access ended are renewed unseen, by one refresh between them', async () => {
    await service.register('two_tabs');
    const tabs = [await browser.context.newPage(), await browser.context.newPage()];
    await logIn(tabs[0]!, address, 'two_tabs', PASSWORD);
    const refreshes: number[] = [];
    const expired = new Set<Page>();
    for (const tab of tabs) {
      tab.on('response', (answer) => {
        if (answer.url().endsWith('/api/auth/refresh')) refreshes.push(answer.status());
      });
      // The service's own answer to an access token that ended, once for each tab; what follows is real.
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
    await Promise.all(tabs.map((tab) => tab.goto(`${address}/account/sessions`)));
    await Promise.all(tabs.map((tab) => tab.waitForSelector('text=This device')));
    expect(refreshes).toEqual([200]);
  });

  it('one that was ended elsewhere leads to the login, which says so, even from a page that stands open', async () => {
    await service.register('ended_elsewhere');
    const page = await browser.context.newPage();
    await logIn(page, address, 'ended_elsewhere', PASSWORD, '/account/security');
    await page.waitForSelector('h1');
    const other = await service.logIn('ended_elsewhere');
    expect((await other.delete('/api/auth/sessions')).status).toBeLessThan(300);
    await page.click('nav a[href="/account/sessions"]');
    await page.waitForURL(`${address}/login?*`);
    await page.waitForSelector('text=Your login on this device has ended');
    await page.fill('input[autocomplete^="username"]', 'ended_elsewhere');
    await page.fill('input[autocomplete="current-password"]', PASSWORD);
    await page.click('button[type="submit"]');
    await page.waitForURL(`${address}/account/sessions`);
  });

  it('a permission taken from a role is gone from the pages of its member', async () => {
    const admin = await service.admin();
    const role = await admin.post<{ id: string }>('/api/role', {
      name: 'audit_reader',
      permissions: [{ permission_id: 'audit:read', level: 1 }],
    });
    const member = await service.signUp('reads_audit');
    const { body } = await member.get<{ id: string }>('/api/auth/me');
    const given = await admin.put(`/api/role/${role.body.id}/users`, { user_ids: [body.id] });
    expect([role.status, given.status]).toEqual([201, 200]);

    const page = await browser.context.newPage();
    await logIn(page, address, 'reads_audit', PASSWORD);
    await page.click('nav a[href="/admin/audit"]');
    await page.waitForSelector('main table');

    const another = await openBrowser(1280, { locale: 'en-GB' });
    try {
      const office = await another.context.newPage();
      await logIn(office, address, ADMIN.username, ADMIN.password, `/admin/roles/${role.body.id}`);
      await office.click('tr:has-text("audit:read") button');
      await office.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
      await office.waitForSelector('tr:has-text("audit:read")', { state: 'detached' });
    } finally {
      await another.close();
    }
    await page.goto(`${address}/admin/audit`);
    await page.waitForSelector('text=Nothing to see here');
    expect(await page.locator('nav a[href^="/admin"]').count()).toBe(0);
  });
});
