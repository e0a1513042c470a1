import type { Page } from 'playwright-core';
import { ADMIN, TestService } from '../support/test-service';
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
afterEach(() => browser.close());

const open = async (width: number, path: string): Promise<void> => {
  browser = await openBrowser(width, { locale: 'en-GB' });
  page = await browser.context.newPage();
  await logIn(page, address, ADMIN.username, ADMIN.password, path);
  await page.waitForSelector('h1');
};
const focused = (): Promise<string> => page.evaluate<string>('document.activeElement.textContent.trim()');

it('on a phone the menu is walked through only while it is open, and Escape closes it', async () => {
  await open(390, '/account');
  const menu = page.getByRole('button', { name: 'Menu' });
  const devices = page.getByRole('link', { name: 'Devices' });
  expect(await devices.count()).toBe(0);
  await menu.click();
  await devices.waitFor();
  await page.keyboard.press('Escape');
  await devices.waitFor({ state: 'hidden' });
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Menu');
});

it('a page that is gone to begins at its top, with the focus on its heading', async () => {
  await open(1280, '/admin/doctor');
  await page.waitForSelector('text=Addresses to register elsewhere');
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.waitForSelector('h1:text-is("Settings")');
  expect(await focused()).toBe('Settings');
  expect(await page.evaluate('scrollY')).toBe(0);
  expect(await page.title()).toMatch(/^Settings · /);
});

it('the menu can be skipped', async () => {
  await open(1280, '/account');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.localName')).toBe('main');
});

it('what cannot be asked for anew is told, and is not taken for fresh', async () => {
  await open(1280, '/admin/doctor');
  await page.route('**/api/doctor*', (route) => route.abort());
  await page.getByRole('button', { name: 'Look again' }).click();
  await page.getByRole('alert').getByText('What you see is from').waitFor();
});

it('a stretch of a long list that did not come is told, and offered again', async () => {
  await open(1280, '/admin');
  const first = (await (await service.admin()).get<{ items: object[] }>('/api/audit')).body;
  await page.route('**/api/audit?*', (route) =>
    route.request().url().includes('cursor=abc')
      ? route.abort()
      : route.fulfill({ json: { ...first, next_cursor: 'abc' } }),
  );
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
  expect(await page.getByRole('button', { name: 'Show more' }).isEnabled()).toBe(true);
});
