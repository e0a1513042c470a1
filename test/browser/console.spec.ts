import type { Page } from 'playwright-core';
import { lastCode } from '../support/inbox';
import { ADMIN, PASSWORD, TestService } from '../support/test-service';
import { openBrowser, Viewer } from './browser';
import { agree, logIn } from './people';

let service: TestService;
let address: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.app.listen(0, '127.0.0.1');
  address = await service.app.getUrl();
});

afterAll(() => service.stop());

describe('what people do there', () => {
  let browser: Viewer;
  let page: Page;

  beforeEach(async () => {
    browser = await openBrowser(1280, { locale: 'en-GB' });
    page = await browser.context.newPage();
  });

  afterEach(() => browser.close());

  it('whoever is not logged in is sent to the login, and comes back', async () => {
    await service.register('comes_back');
    await page.goto(`${address}/account/sessions`);
    await page.waitForURL(`${address}/login?redirect=*`);
    await page.fill('input[autocomplete^="username"]', 'comes_back');
    await page.fill('input[autocomplete="current-password"]', PASSWORD);
    await page.click('button[type="submit"]');
    await page.waitForURL(`${address}/account/sessions`);
    await page.waitForSelector('text=This device');
  });

  it('an e-mail is proven by the code that was sent to it', async () => {
    await service.register('proves_mail');
    await logIn(page, address, 'proves_mail', PASSWORD, '/account');
    await page.click('text="Change" >> nth=0');
    await page.fill('input[type="email"]', 'proves@example.com');
    await page.click('text="Send code"');
    await page.waitForSelector('text=A code is on its way');
    await page.fill('input[autocomplete="one-time-code"]', '000000');
    await page.click('form:has(input[type="email"]) button[type="submit"]');
    await page.waitForSelector('input[autocomplete="one-time-code"][aria-invalid="true"]');
    await page.fill('input[autocomplete="one-time-code"]', lastCode(service, 'proves@example.com'));
    await page.click('form:has(input[type="email"]) button[type="submit"]');
    await page.waitForSelector('text="Proven"');
  });

  it('somebody without rights sees neither the pages of administration nor the way to them', async () => {
    await service.register('plain_user');
    await logIn(page, address, 'plain_user', PASSWORD, '/account');
    await page.waitForSelector('nav a');
    expect(await page.locator('nav a[href^="/admin"]').count()).toBe(0);
    await page.goto(`${address}/admin/users`);
    await page.waitForSelector('text=Nothing to see here');
  });

  it('a setting is changed, seen in its history and rolled back', async () => {
    await logIn(page, address, ADMIN.username, ADMIN.password, '/admin/settings');
    await page.click('text="Service and branding"');
    await page.getByLabel('app.name').fill('House of Keys');
    await page.click('text="Save"');
    await page.waitForSelector('text="Saved"');
    await page.click('.mantine-Accordion-panel:has-text("app.name") button:has-text("History")');
    await page.waitForSelector('code:has-text("House of Keys")');
    const admin = await service.admin();
    const { body } = await admin.get<{ name: string }>('/api/info');
    expect(body.name).toBe('House of Keys');
    await admin.put('/api/setting', { updates: [{ key: 'app.name', value: 'Castellan' }] });
    await page.reload();
    await page.click('text="Service and branding"');
    await page.click('.mantine-Accordion-panel:has-text("app.name") button:has-text("History")');
    await page.click('tr:has(code:has-text("House of Keys")) button:has-text("Roll back") >> nth=-1');
    await agree(page, 'Roll back');
    await page.waitForSelector('text="Saved"');
    expect((await admin.get<{ name: string }>('/api/info')).body.name).toBe('House of Keys');
    await admin.put('/api/setting', { updates: [{ key: 'app.name', value: null }] });
  });

  it('a role is made and given, and its effect is seen', async () => {
    await service.register('gets_role');
    await logIn(page, address, ADMIN.username, ADMIN.password, '/admin/roles');
    await page.getByLabel('New role').fill('auditor');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.waitForSelector('h1:has-text("auditor")');
    await page.getByLabel('Permission', { exact: true }).fill('audit:read');
    await page.getByLabel('Level', { exact: true }).selectOption('1');
    await page.getByRole('button', { name: 'Add', exact: true }).first().click();
    await page.waitForSelector('td code:has-text("audit:read")');
    await page.getByLabel('Add members').fill('gets_role nobody_of_this_name');
    await page.getByRole('button', { name: 'Add', exact: true }).last().click();
    await page.waitForSelector('text=Nobody here is called nobody_of_this_name');
    const member = await service.logIn('gets_role');
    expect((await member.get('/api/audit')).status).toBe(200);
  });
});
