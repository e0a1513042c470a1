import type { Page } from 'playwright-core';
import { Messenger } from '../../src/verification';
import { ADMIN, TestService } from '../support/test-service';
import { openBrowser, Viewer } from './browser';
import { agree, logIn } from './people';
import { complaintsOf } from './watch';

let service: TestService;
let address: string;
let browser: Viewer;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  service = await TestService.start();
  await service.app.listen(0, '127.0.0.1');
  address = await service.app.getUrl();
  browser = await openBrowser(1280, { locale: 'en-GB' });
  page = await browser.context.newPage();
  // What is typed wrongly is refused, and the browser notes that.
  complaints = complaintsOf(page, /status of 400/);
  await logIn(page, address, ADMIN.username, ADMIN.password, '/admin/providers');
});

afterAll(async () => {
  await browser.close();
  await service.stop();
});

afterEach(() => {
  expect(complaints).toEqual([]);
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByRole('textbox', { name });

/** Opens the dialog that asks, and says yes. */
async function confirm(name: string): Promise<void> {
  await button(name).click();
  await agree(page, name);
}

it('a login provider is added from its template, tested, turned off and deleted', async () => {
  await page.goto(`${address}/admin/providers/new`);
  await page.getByRole('link', { name: 'GitHub', exact: true }).click();
  await field('Name in addresses').fill('octo');
  expect(await field('Callback address').inputValue()).toBe(`${address}/api/oauth/callback/octo`);
  await field('Client ID').fill('client-of-ours');
  await page.getByLabel('Client secret').first().fill('a secret of ours');
  await button('Add provider').click();
  await page.waitForURL(/\/admin\/providers\/[0-9a-f-]{36}$/);
  // The address changes before the page does.
  await button('Add provider').waitFor({ state: 'detached' });
  expect(await field('Callback address').inputValue()).toBe(`${address}/api/oauth/callback/octo`);
  expect(await page.content()).not.toContain('a secret of ours');
  // Nobody answers there from a test: that, too, is told.
  await button('Test').click();
  await page.waitForSelector('text=The addresses are known and may be called.');
  const offered = async (): Promise<boolean> => (await service.client().get('/api/info')).text.includes('"octo"');
  expect(await offered()).toBe(true);
  await confirm('Turn off');
  await button('Offer it').waitFor();
  expect(await offered()).toBe(false);
  await confirm('Delete provider');
  await page.waitForURL(`${address}/admin/providers`);
  expect(await page.getByRole('link', { name: 'GitHub' }).count()).toBe(0);
});

it('an application is registered, shown its secret once, and given another', async () => {
  await page.goto(`${address}/admin/clients/new`);
  await field('Name').fill('Team wiki');
  await field('Redirect addresses').fill('http://wiki.example.com/callback');
  await button('Register application').click();
  await page.waitForSelector('[aria-invalid="true"]');
  await field('Redirect addresses').fill('https://wiki.example.com/callback');
  await button('Register application').click();
  await page.waitForSelector('text=This is the only time the secret is shown');
  const first = await field('Secret').inputValue();
  expect(first.length).toBeGreaterThanOrEqual(40);
  await page.getByRole('link', { name: 'Go to the application' }).click();
  await page.waitForURL(/\/admin\/clients\/[0-9a-f-]{36}$/);
  await button('New secret').waitFor();
  expect(await page.content()).not.toContain(first);
  await confirm('New secret');
  await page.waitForSelector('text=This is the only time the secret is shown');
  expect(await field('Secret').inputValue()).not.toBe(first);
});

it('a message is edited with its preview beside it, kept from losing the code, and put back', async () => {
  await page.goto(`${address}/admin/templates/email.login.en`);
  const text = field('Text');
  await text.waitFor();
  const preview = page.frameLocator('iframe.mail-frame');
  await text.fill('Here you are:\n\n{code}\n\nYours, the keeper');
  await preview.getByText('Yours, the keeper').waitFor();
  await text.fill('No code in here');
  await page.waitForSelector('[aria-invalid="true"]');
  await text.fill('Here you are:\n\n{code}');
  await button('Save').click();
  await page.waitForSelector('text="Edited"');
  await confirm('Back to the default');
  await page.waitForSelector('text="Default"');
  expect(await text.inputValue()).not.toContain('Here you are');
});

it('what was sent is found by its kind, its provider and its time', async () => {
  const messenger = service.app.get(Messenger, { strict: false });
  const values = { code: '048213', minutes: '10', username: 'ann' };
  await messenger.send({ channel: 'email', purpose: 'login', target: 'ann@example.com', language: 'en', values });
  await messenger.send({ channel: 'sms', purpose: 'bind', target: '+8613800138000', language: 'en', values });
  await page.goto(`${address}/admin/deliveries`);
  const rows = page.locator('tbody tr');
  const isFound = async (found: number): Promise<void> => {
    await rows.nth(found - 1).waitFor();
    await rows.nth(found).waitFor({ state: 'detached' });
  };
  await isFound(2);
  await page.getByLabel('For', { exact: true }).selectOption('Code to prove a contact');
  await isFound(1);
  expect(await rows.textContent()).toContain('SMS');
  await field('Provider').fill('twilio');
  await page.getByText('Nothing found.', { exact: true }).waitFor();
  await field('Provider').fill('');
  await isFound(1);
  await page.getByLabel('Before', { exact: true }).fill('2020-01-01T00:00');
  await page.getByText('Nothing found.', { exact: true }).waitFor();
  await page.getByLabel('Before', { exact: true }).fill('');
  await isFound(1);
});
