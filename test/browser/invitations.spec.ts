import type { Page } from 'playwright-core';
import { registrationEnabled } from '../../src/auth';
import { proveContacts } from '../support/accounts/accounts';
import { invited, rolesThere, StoredOrganization, storeOrganization } from '../support/organizations/invitations';
import { PASSWORD } from '../support/service/test-service';
import { expectGoodLooks } from './every-page';
import { pageForEach, serveForAll } from './stage';
import { complaintsOf } from './watch';

const served = serveForAll();
let organization: StoredOrganization;

beforeAll(async () => {
  organization = await storeOrganization(served.service, 'Acme');
});

const texts = {
  en: {
    join: 'Join Acme',
    logIn: 'Log in',
    register: 'Create an account',
    accept: (username: string) => `Accept as ${username}`,
    joined: 'You are now a member of Acme',
    another: 'This invitation is for another account.',
    invalid: 'This link is not valid, or no longer',
  },
  zh: {
    join: '加入 Acme',
    logIn: '登录',
    register: '注册账号',
    accept: (username: string) => `以 ${username} 的身份接受`,
    joined: '您已成为 Acme 的成员',
    another: '此邀请发给了其他账号。',
    invalid: '此链接无效或已失效',
  },
};

const viewers = [
  { width: 390, locale: 'en-GB', language: 'en' },
  { width: 1280, locale: 'zh-CN', language: 'zh' },
] as const;

describe.each(viewers)('the page of an invitation at $width px in $locale', ({ width, locale, language }) => {
  const seen = pageForEach(width, { locale });
  const t = texts[language];
  let complaints: string[];
  let requested: string[];

  beforeEach(() => {
    // The page asks whether there is a login, and whether the invitation is open.
    complaints = complaintsOf(seen.page, /status of 40[134]/);
    requested = [];
    seen.page.on('request', (request) => requested.push(request.url()));
  });

  afterEach(() => {
    expect(complaints).toEqual([]);
  });

  const tokenFor = async (email: string): Promise<string> =>
    invited(served.service, await served.service.admin(), organization, email);
  const open = async (page: Page, token: string): Promise<void> => {
    await page.goto(`${served.address}/invitation#${token}`);
    await page.waitForSelector(`h1:text-is("${t.join}")`);
  };

  it('creates an account while registration is closed', async () => {
    const username = `new_${language}`;
    const token = await tokenFor(`${username}@example.com`);
    await served.service.set(registrationEnabled, false);
    try {
      await open(seen.page, token);
      await expectGoodLooks(seen.page);
      await seen.page.setViewportSize({ width, height: 900 });
      await seen.page.click(`button:text-is("${t.register}")`);
      await seen.page.fill('input[autocomplete="username"]', username);
      await seen.page.fill('input[autocomplete="new-password"]', PASSWORD);
      expect(await seen.page.locator('input[type="email"]').count()).toBe(0);
      await seen.page.click('button[type="submit"]');
      await seen.page.waitForSelector(`h1:text-is("${t.joined}")`);
    } finally {
      await served.service.set(registrationEnabled, true);
    }
    await seen.page.click('main a.primary');
    await seen.page.waitForURL(`${served.address}/account`);
    expect(await rolesThere(served.service, organization, username)).toEqual([]);
  });

  it('is accepted after a login, and keeps the token out of all addresses', async () => {
    const username = `own_${language}`;
    await served.service.register(username, { email: `${username}@example.com` });
    await proveContacts(served.service, username);
    const token = await tokenFor(`${username}@example.com`);
    await open(seen.page, token);
    expect(seen.page.url()).toBe(`${served.address}/invitation`);
    await seen.page.click(`main a:text-is("${t.logIn}")`);
    await seen.page.fill('input[autocomplete^="username"]', username);
    await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
    await seen.page.click('button[type="submit"]');
    await seen.page.click(`button:text-is("${t.accept(username)}")`);
    await seen.page.waitForSelector(`h1:text-is("${t.joined}")`);
    expect(await rolesThere(served.service, organization, username)).toEqual([]);
    expect(requested.filter((url) => url.includes(token))).toEqual([]);
    await seen.page.goto(`${served.address}/invitation`);
    await seen.page.waitForSelector(`text=${t.invalid}`);
  });

  it('explains that an invitation is for another account, or no longer open', async () => {
    const username = `wrong_${language}`;
    await served.service.register(username, { email: `${username}@example.com` });
    await proveContacts(served.service, username);
    const token = await tokenFor(`other_${language}@example.com`);
    await seen.page.goto(`${served.address}/login`);
    await seen.page.fill('input[autocomplete^="username"]', username);
    await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
    await seen.page.click('button[type="submit"]');
    await seen.page.waitForURL(`${served.address}/account`);
    await open(seen.page, token);
    await seen.page.click(`button:text-is("${t.accept(username)}")`);
    await seen.page.waitForSelector(`text=${t.another}`);
    await expectGoodLooks(seen.page);

    await seen.page.goto(`${served.address}/invitation#${'A'.repeat(43)}`);
    await seen.page.reload();
    await seen.page.waitForSelector(`text=${t.invalid}`);
  });
});
