import type { Page } from 'playwright-core';
import { enrolTotp } from '../support/second-factors';
import { ADMIN, PASSWORD, TestService } from '../support/test-service';
import { openBrowser, Viewer } from './browser';
import { expectGoodLooks } from './every-page';
import { agree, logIn } from './people';
import { fitsWidth } from './watch';

/** What the pages look like while something is told or has grown. */
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
  page.setDefaultTimeout(10_000);
});

afterEach(() => browser.close());

it('an error beside a field', async () => {
  await logIn(page, address, ADMIN.username, ADMIN.password, '/admin/clients/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Wiki');
  await page.getByRole('textbox', { name: 'Redirect addresses' }).fill('http://wiki.example.com/callback');
  await page.getByRole('button', { name: 'Register application', exact: true }).click();
  await page.waitForSelector('[aria-invalid="true"]');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expectGoodLooks(page);
});

it('recovery codes that have just been made', async () => {
  const client = await service.signUp('prints_codes');
  await enrolTotp(client);
  await browser.context.addCookies([...client.jar].map(([name, value]) => ({ name, value, url: address })));
  await page.goto(`${address}/account/mfa`);
  await page.getByRole('button', { name: 'New recovery codes', exact: true }).click();
  await agree(page, 'New recovery codes');
  await page.waitForSelector('.codes');
  await expectGoodLooks(page);
});

it.each([320, 390])('the way in, %d px wide, with every field it can have', async (width) => {
  await page.setViewportSize({ width, height: 900 });
  for (const path of ['/login', '/register', '/reset-password']) {
    await page.goto(address + path);
    await page.waitForSelector('h1');
    if (path === '/login') await page.getByRole('tab', { name: 'E-mail code' }).click();
    if (path === '/register') await page.fill('input[type="email"]', 'ann@example.com');
    // The card hides nothing: what is too wide stands out of it, though the page may hold it.
    const widest = await page.evaluate<number>(
      `Math.max(...[...document.querySelectorAll('main *')].map((one) => one.getBoundingClientRect().right))`,
    );
    const edge = await page.evaluate<number>(`document.querySelector('main').getBoundingClientRect().right`);
    expect({ path, isInside: widest <= edge, fits: await fitsWidth(page) }).toEqual({
      path,
      isInside: true,
      fits: true,
    });
  }
});

it('a name without a space breaks, and takes no page apart', async () => {
  const { body } = await (await service.admin()).post<{ id: string }>('/api/role', { name: 'n'.repeat(50) });
  await logIn(page, address, ADMIN.username, ADMIN.password, `/admin/roles/${body.id}`);
  await page.waitForSelector('h1:has-text("nnn")');
  await page.setViewportSize({ width: 390, height: 900 });
  expect(await fitsWidth(page)).toBe(true);
});

it('what was left in English is Chinese, too', async () => {
  await browser.close();
  browser = await openBrowser(1280, { locale: 'zh-CN' });
  page = await browser.context.newPage();
  await service.client().post('/api/auth/login', { type: 'password', username: ADMIN.username, password: 'wrong' });
  await logIn(page, address, ADMIN.username, ADMIN.password, '/admin/audit');
  await page.locator('td').getByText('失败', { exact: true }).first().waitFor();
  await page.goto(`${address}/admin`);
  await page.locator('.u-legend').getByText('时间').first().waitFor();
  await page.goto(`${address}/account/security`);
  await page.getByLabel('显示密码').first().waitFor();
  expect(await page.getByLabel('Toggle password visibility').count()).toBe(0);
});

it.each(['/account/nothing', '/admin/nothing'])('an unknown address says so: %s', async (path) => {
  await logIn(page, address, ADMIN.username, ADMIN.password, path);
  await page.waitForSelector('h1:has-text("Page not found")');
  expect(new URL(page.url()).pathname).toBe(path);
});

it('whoever deleted the account is told that it is gone', async () => {
  await service.register('leaves_us');
  await logIn(page, address, 'leaves_us', PASSWORD, '/account/security');
  await page.getByRole('button', { name: 'Delete the account', exact: true }).click();
  await agree(page, 'Delete the account');
  await page.waitForSelector('text=Your account is deleted');
});

it('a passkey is offered where the service is called by its name alone', async () => {
  await service.register('calls_number');
  await logIn(page, address, 'calls_number', PASSWORD, '/account/mfa');
  await page.waitForSelector('text=Passkeys need the service at its name');
  expect(await page.getByRole('button', { name: 'Add a passkey', exact: true }).count()).toBe(0);
});

it('an emptied username is told of as what it is', async () => {
  const { body } = await (await service.admin()).post<{ id: string }>('/api/user', { username: 'keeps_name' });
  await logIn(page, address, ADMIN.username, ADMIN.password, `/admin/users/${body.id}`);
  await page.getByLabel('Username', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await page.waitForSelector('[aria-invalid="true"]');
  expect(await page.textContent('main')).not.toContain('Must be a text');
});
