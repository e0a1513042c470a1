import type { Page } from 'playwright-core';
import { ADMIN, TestService } from '../support/test-service';
import { openBrowser, Viewer } from './browser';
import { agree, logIn } from './people';
import { isSettled } from './watch';

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
  page.setDefaultTimeout(10_000);
  await logIn(page, address, ADMIN.username, ADMIN.password, '/admin/users');
});

afterAll(async () => {
  await browser.close();
  await service.stop();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.locator('main').getByRole('link', { name, exact: true });
const menu = (path: string) => page.locator(`nav a[href="${path}"]`);

it('a role is in the list as soon as it is made, and gone from it as soon as it is deleted', async () => {
  await page.goto(`${address}/admin/roles`);
  await link('admin').waitFor();
  await page.getByLabel('New role').fill('short-lived');
  await button('Add').click();
  await page.waitForSelector('h1:has-text("short-lived")');
  await page.goBack();
  await link('short-lived').click();
  await button('Delete role').click();
  await agree(page, 'Delete role');
  await page.waitForURL(`${address}/admin/roles`);
  await link('admin').waitFor();
  await isSettled(page);
  expect(await link('short-lived').count()).toBe(0);
});

it('the question before a role is deleted counts the members that were just added', async () => {
  await service.register('just_added');
  const { body } = await (await service.admin()).post<{ id: string }>('/api/role', { name: 'counted' });
  await page.goto(`${address}/admin/roles/${body.id}`);
  await page.getByLabel('Add members').fill('just_added');
  await button('Add').last().click();
  await link('just_added').waitFor();
  await button('Delete role').click();
  await page
    .getByRole('dialog')
    .getByText(/\b1 member\b/)
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
});

it('a deleted user is not shown again by going back', async () => {
  const made = await (await service.admin()).post<{ id: string }>('/api/user', { username: 'soon_gone' });
  await page.goto(`${address}/admin/users`);
  await link('soon_gone').click();
  await button('Delete user').click();
  await agree(page, 'Delete user');
  await page.waitForURL(`${address}/admin/users`);
  await link(ADMIN.username).waitFor();
  await menu('/admin/roles').click();
  await page.goBack();
  await link(ADMIN.username).waitFor();
  await isSettled(page);
  expect(await link('soon_gone').count()).toBe(0);
  await page.goto(`${address}/admin/users/${made.body.id}`);
  await page.locator('main [role="alert"]').waitFor();
});

it('every role can be chosen, however many there are', async () => {
  const admin = await service.admin();
  for (let count = 1; count <= 101; count += 1) await admin.post('/api/role', { name: `z-${count}` });
  const [user] = await service.query<{ id: string }>(`SELECT id FROM user_account WHERE username = $1`, [
    ADMIN.username,
  ]);
  for (const [path, label] of [
    ['/admin/users', 'Role'],
    [`/admin/users/${user!.id}`, 'Give a role'],
  ] as const) {
    await page.goto(address + path);
    await page.getByLabel(label, { exact: true }).selectOption({ label: 'iam · z-99' });
  }
});
