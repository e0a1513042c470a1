import type { Page } from 'playwright-core';
import { ADMIN, PASSWORD, TestService } from '../support/test-service';
import { openBrowser, Viewer } from './browser';
import { accessibilityFaults, complaintsOf, fitsWidth } from './watch';

let service: TestService;
let address: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.app.listen(0, '127.0.0.1');
  address = await service.app.getUrl();
});

afterAll(() => service.stop());

async function logIn(page: Page, username: string, password: string, path = '/login'): Promise<void> {
  await page.goto(address + path);
  await page.fill('input[autocomplete^="username"]', username);
  await page.fill('input[autocomplete="current-password"]', password);
  await page.click('button[type="submit"]');
  await page.waitForURL((url) => url.pathname !== '/login');
}

describe('what an administrator meets', () => {
  let browser: Viewer;
  let page: Page;

  beforeEach(async () => {
    browser = await openBrowser(1280, { locale: 'en-GB' });
    page = await browser.context.newPage();
  });

  afterEach(() => browser.close());

  it('the dashboard counts logins and says the same in a table', async () => {
    const complaints = complaintsOf(page);
    await service.client().post('/api/auth/login', { type: 'password', username: 'admin', password: 'wrong' });
    await logIn(page, ADMIN.username, ADMIN.password, '/login?redirect=/admin');
    await page.waitForSelector('.chart canvas');
    await page.getByRole('button', { name: 'As a table: Logins' }).click();
    const today = page.getByRole('region', { name: 'Logins' }).locator('tbody tr').first().locator('td');
    expect((await today.allTextContents()).slice(1)).toEqual(['1', '1']);
    expect(await fitsWidth(page)).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('why somebody may not is told, and what would be missing', async () => {
    await service.register('asked_about');
    await logIn(page, ADMIN.username, ADMIN.password, '/login?redirect=/admin/permissions');
    const why = page.locator('form:has-text("May somebody do this?")');
    await why.getByLabel('Username').fill('asked_about');
    await why.getByLabel('Permission').fill('role:update');
    await why.getByRole('button', { name: 'Check' }).click();
    await page.waitForSelector('text=asked_about may not use iam:role:update');
    expect(await why.getByRole('status').textContent()).toContain('iam:role:update at level 3 · update');
    await why.getByLabel('Username').fill(ADMIN.username);
    await why.getByRole('button', { name: 'Check' }).click();
    await page.waitForSelector('text=Through the role admin');
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it("another service's permission is added to the catalogue and removed", async () => {
    await logIn(page, ADMIN.username, ADMIN.password, '/login?redirect=/admin/permissions');
    await page.getByLabel('Scope of the service').fill('crm');
    await page.getByLabel('Permission, as resource:action').fill('report:publish');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Remove crm:report:publish from the catalogue' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.waitForSelector('h2:has-text("Permissions of crm")', { state: 'detached' });
  });

  it('a login without a destination leads through the first steps until they are dismissed', async () => {
    await logIn(page, ADMIN.username, ADMIN.password);
    await page.waitForURL(`${address}/admin/setup`);
    await page.getByLabel('Name of the service').fill('House of Keys');
    await page.locator('li:has-text("Name the service")').getByRole('button', { name: 'Save' }).click();
    await page.waitForSelector('li:has-text("Name the service") >> text="Done"');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Do not show this again' }).click();
    await page.waitForURL(`${address}/admin`);
    await page.click('text="Log out"');
    await page.waitForURL(`${address}/login`);
    await logIn(page, ADMIN.username, ADMIN.password);
    await page.waitForURL(`${address}/account`);
  });

  it('somebody without rights is led to the own account, and sees no dashboard', async () => {
    await service.register('no_rights');
    await logIn(page, 'no_rights', PASSWORD);
    await page.waitForURL(`${address}/account`);
    await page.goto(`${address}/admin`);
    await page.waitForSelector('text=Nothing to see here');
  });
});
