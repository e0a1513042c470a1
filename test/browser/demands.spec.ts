import type { Page } from 'playwright-core';
import { codeOf } from '../support/second-factors';
import { PASSWORD, TestService } from '../support/test-service';
import { openBrowser, Viewer } from './browser';
import { logIn } from './people';

let service: TestService;
let address: string;
let browser: Viewer;
let page: Page;

beforeAll(async () => {
  service = await TestService.start();
  await service.app.listen(0, '127.0.0.1');
  address = await service.app.getUrl();
});

afterAll(() => service.stop());

beforeEach(async () => {
  browser = await openBrowser(1280, { locale: 'en-GB' });
  page = await browser.context.newPage();
});

afterEach(() => browser.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });

it('whoever must change the password is led to where it is done, from any page, until it is done', async () => {
  const admin = await service.admin();
  await admin.post('/api/user', { username: 'changes_later', password: PASSWORD, must_change_password: true });
  await page.goto(`${address}/login`);
  await page.fill('input[autocomplete^="username"]', 'changes_later');
  await page.fill('input[autocomplete="current-password"]', PASSWORD);
  await page.click('button[type="submit"]');
  await page.waitForSelector('text=Choose a new password');
  await page.goto(`${address}/account`);
  await page.waitForURL(`${address}/account/security`);
  const notice = page.getByRole('alert').getByText('Change your password before you continue.');
  await notice.waitFor();
  await page.getByLabel('Current password').fill('not the one it is');
  await page.getByLabel('New password').fill('another good long one');
  await button('Save').click();
  await page.waitForSelector('.mantine-PasswordInput-error:has-text("The current password is not right")');
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password').fill('another good long one');
  await button('Save').click();
  await notice.waitFor({ state: 'detached' });
  await page.click('nav >> text="Devices"');
  await page.waitForSelector('text=This device');
});

it('whoever must set up a second factor is led to where it is done, and sees the recovery codes', async () => {
  await service.register('enrols_later');
  await logIn(page, address, 'enrols_later', PASSWORD, '/account/sessions');
  const admin = await service.admin();
  const updates = [{ key: 'mfa.policy', value: 'required' }];
  expect(await admin.put('/api/setting', { updates })).toMatchObject({ status: 200 });
  await page.reload();
  await page.waitForURL(`${address}/account/mfa`);
  await button('Add an authenticator app').click();
  const secret = (await page.locator('form code').textContent()) ?? '';
  await page.getByLabel('Code from the app').fill('000000');
  await button('Confirm').click();
  await page.waitForSelector('input[autocomplete="one-time-code"][aria-invalid="true"]');
  const code = codeOf(secret);
  await page.getByLabel('Code from the app').fill(` ${code.slice(0, 3)} ${code.slice(3)} `);
  await button('Confirm').click();
  await page.waitForSelector('.codes');
  await page.click('nav >> text="Devices"');
  await page.waitForSelector('text=This device');
});
