import { MessengerService } from '../../src/messaging';
import { ADMIN } from '../support/test-service';
import { agree, logIn } from './people';
import { pageForAll, serveForAll } from './stage';
import { complaintsOf } from './watch';

const served = serveForAll();
const seen = pageForAll(1280);
let complaints: string[];

beforeAll(async () => {
  // What is typed wrongly is refused, and the browser notes that.
  complaints = complaintsOf(seen.page, /status of 400/);
  await logIn(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/providers');
});

afterEach(() => {
  expect(complaints).toEqual([]);
});

const button = (name: string) => seen.page.getByRole('button', { name, exact: true });
const field = (name: string) => seen.page.getByRole('textbox', { name, exact: true });

/** Opens the dialog that asks, and says yes. */
async function confirm(name: string): Promise<void> {
  await button(name).click();
  await agree(seen.page, name);
}

it('a login provider is added from its template, tested, turned off and deleted', async () => {
  await seen.page.goto(`${served.address}/admin/providers/new`);
  await seen.page.getByRole('link', { name: 'GitHub', exact: true }).click();
  await field('Name in addresses').fill('octo');
  expect(await field('Callback address').inputValue()).toBe(`${served.address}/api/oauth/callback/octo`);
  await field('Client ID').fill('client-of-ours');
  await seen.page.getByLabel('Client secret').first().fill('a secret of ours');
  await button('Add provider').click();
  await seen.page.waitForURL(/\/admin\/providers\/[0-9a-f-]{36}$/);
  // The address changes before the page does.
  await button('Add provider').waitFor({ state: 'detached' });
  expect(await field('Callback address').inputValue()).toBe(`${served.address}/api/oauth/callback/octo`);
  expect(await seen.page.content()).not.toContain('a secret of ours');
  // Nobody answers there from a test: that, too, is told.
  await button('Test').click();
  await seen.page.waitForSelector('text=Addresses reachable and allowed');
  const offered = async (): Promise<boolean> =>
    (await served.service.client().get('/api/info')).text.includes('"octo"');
  expect(await offered()).toBe(true);
  await confirm('Disable');
  await button('Enable').waitFor();
  expect(await offered()).toBe(false);
  await confirm('Delete provider');
  await seen.page.waitForURL(`${served.address}/admin/providers`);
  expect(await seen.page.getByRole('link', { name: 'GitHub' }).count()).toBe(0);
});

it('an application is registered, shown its secret once, and given another', async () => {
  await seen.page.goto(`${served.address}/admin/clients/new`);
  await field('Name').fill('Team wiki');
  await field('Redirect addresses').fill('http://wiki.example.com/callback');
  await button('Register application').click();
  await seen.page.waitForSelector('[aria-invalid="true"]');
  await field('Redirect addresses').fill('https://wiki.example.com/callback');
  await button('Register application').click();
  await seen.page.waitForSelector('text=The secret is shown only once');
  const first = await field('Secret').inputValue();
  expect(first.length).toBeGreaterThanOrEqual(40);
  await seen.page.getByRole('link', { name: 'Open the application' }).click();
  await seen.page.waitForURL(/\/admin\/clients\/[0-9a-f-]{36}$/);
  await button('New secret').waitFor();
  expect(await seen.page.content()).not.toContain(first);
  await confirm('New secret');
  await seen.page.waitForSelector('text=The secret is shown only once');
  expect(await field('Secret').inputValue()).not.toBe(first);
});

it('a message is edited with its preview beside it, kept from losing the code, and put back', async () => {
  await seen.page.goto(`${served.address}/admin/templates/email.login.en`);
  const text = field('Text');
  await text.waitFor();
  const preview = seen.page.frameLocator('iframe.mail-frame');
  await text.fill('Here you are:\n\n{code}\n\nYours, the keeper');
  await preview.getByText('Yours, the keeper').waitFor();
  await text.fill('No code in here');
  await seen.page.waitForSelector('[aria-invalid="true"]');
  await text.fill('Here you are:\n\n{code}');
  await button('Save').click();
  await seen.page.waitForSelector('text="Edited"');
  await confirm('Reset to default');
  await seen.page.waitForSelector('text="Default"');
  expect(await text.inputValue()).not.toContain('Here you are');
});

it('what was sent is found by its kind, its provider and its time', async () => {
  const messenger = served.service.app.get(MessengerService, { strict: false });
  const values = { code: '048213', minutes: '10', username: 'ann' };
  await messenger.send({ channel: 'email', purpose: 'login', target: 'ann@example.com', language: 'en', values });
  await messenger.send({ channel: 'sms', purpose: 'bind', target: '+8613800138000', language: 'en', values });
  await seen.page.goto(`${served.address}/admin/deliveries`);
  const rows = seen.page.locator('tbody tr');
  const isFound = async (found: number): Promise<void> => {
    await rows.nth(found - 1).waitFor();
    await rows.nth(found).waitFor({ state: 'detached' });
  };
  await isFound(2);
  await seen.page.getByLabel('Purpose', { exact: true }).selectOption('Code to verify a contact');
  await isFound(1);
  expect(await rows.textContent()).toContain('SMS');
  await field('Provider').fill('twilio');
  await seen.page.getByText('Nothing found.', { exact: true }).waitFor();
  await field('Provider').fill('');
  await isFound(1);
  await seen.page.getByLabel('Until', { exact: true }).fill('2020-01-01T00:00');
  await seen.page.getByText('Nothing found.', { exact: true }).waitFor();
  await seen.page.getByLabel('Until', { exact: true }).fill('');
  await isFound(1);
});
