import type { Page } from 'playwright-core';
import { ADMIN, eventually, TestService } from '../support/test-service';
import { openBrowser, Viewer } from './browser';
import { agree, logIn } from './people';

let service: TestService;
let address: string;
let browser: Viewer;
let page: Page;

beforeAll(async () => {
  service = await TestService.start();
  await service.app.listen(0, '127.0.0.1');
  address = await service.app.getUrl();
  browser = await openBrowser(1280, { locale: 'en-GB' });
  page = await browser.context.newPage();
});

afterAll(async () => {
  await browser.close();
  await service.stop();
});

beforeEach(() => logIn(page, address, ADMIN.username, ADMIN.password, '/admin/settings'));

const button = (name: string) => page.getByRole('button', { name, exact: true });
const openCategory = (name: string): Promise<void> => button(name).click();

it('discarding brings back what is stored, of lists, too', async () => {
  await openCategory('SMS');
  const prefixes = page.getByLabel('sms.allowed_prefixes');
  const stored = await prefixes.inputValue();
  await prefixes.fill('+49\n\n+86\n');
  expect(await prefixes.inputValue()).toBe('+49\n\n+86\n');
  await button('Discard').click();
  expect(await prefixes.inputValue()).toBe(stored);
});

it('what is folded away is out of sight and of reach, with less motion, too', async () => {
  const days = page.getByLabel('audit.retention_days');
  await openCategory('Audit');
  await days.waitFor();
  await openCategory('Audit');
  await days.waitFor({ state: 'hidden' });
});

it('a refusal marks its field, and is told by name in a bar that stays in sight', async () => {
  await openCategory('Rate limits');
  await openCategory('Audit');
  const days = page.getByLabel('audit.retention_days');
  await days.fill('5');
  await openCategory('Audit');
  await page.evaluate('scrollTo(0, 0)');
  const bar = page.locator('.in-sight');
  const { y, height } = (await bar.boundingBox()) ?? { y: 0, height: 0 };
  expect(y + height).toBeLessThanOrEqual(900);
  await button('Save').click();
  await bar.getByText('audit.retention_days').waitFor();
  await openCategory('Audit');
  expect(await days.getAttribute('aria-invalid')).toBe('true');
  await days.fill('60');
  await bar.getByText('audit.retention_days').waitFor({ state: 'detached' });
  expect(await days.getAttribute('aria-invalid')).not.toBe('true');
});

it.each([
  { language: 'en', fallback: 'No fallback (none)', sameSite: 'None' },
  { language: 'zh', fallback: '不设备用（none）', sameSite: '无（None）' },
])('what "none" leaves out is said for each setting, in $language', async ({ language, fallback, sameSite }) => {
  await page.goto(`${address}/admin/settings?lang=${language}`);
  await page.waitForSelector('h1');
  const none = (key: string) => page.getByLabel(key, { exact: true }).locator('option[value="none"]').textContent();
  expect(await none('sms.fallback_provider')).toBe(fallback);
  expect(await none('jwt.cookie_same_site')).toBe(sameSite);
});

it('the default is shown before it is saved, and rolling back asks first', async () => {
  const admin = await service.admin();
  const updates = [{ key: 'audit.retention_days', value: 77 }];
  expect(await admin.put('/api/setting', { updates })).toMatchObject({ status: 200 });
  await page.reload();
  await openCategory('Audit');
  const days = page.getByLabel('audit.retention_days', { exact: true });
  await button('Back to the default').click();
  expect(await days.inputValue()).not.toBe('77');
  await button('Save').click();
  await page.waitForSelector('text="Saved"');
  await button('History').click();
  await button('Roll back to version 1').click();
  await agree(page, 'Roll back');
  await eventually(
    () => days.inputValue(),
    (value) => value === '77',
  );
});
