import { MessengerService } from '../../src/messaging';
import { createRole } from '../support/accounts/holders';
import { register } from '../support/oauth/oauth';
import { ADMIN } from '../support/service/test-service';
import { agree, openAs } from './people';
import { pageForAll, serveForAll } from './stage';
import { complaintsOf } from './watch';

const served = serveForAll();
const seen = pageForAll(1280);
let complaints: string[];

beforeAll(async () => {
  // Invalid input makes the service return 400, which the browser logs.
  complaints = complaintsOf(seen.page, /status of 400/);
  await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/providers');
});

afterEach(() => {
  expect(complaints).toEqual([]);
});

const button = (name: string) => seen.page.getByRole('button', { name, exact: true });
const field = (name: string) => seen.page.getByRole('textbox', { name, exact: true });

/** Clicks a button and confirms its dialog. */
async function confirm(name: string): Promise<void> {
  await button(name).click();
  await agree(seen.page, name);
}

it('shows a mark or chosen letters for each kind of login provider', async () => {
  await seen.page.goto(`${served.address}/admin/providers/new`);
  await seen.page.waitForSelector('main a[href*="?template="]');
  const without = await seen.page.evaluate(`[...document.querySelectorAll('main a[href*="?template="]')]
    .filter((link) => !link.querySelector('img.provider-mark'))
    .map((link) => [new URL(link.href).searchParams.get('template'), link.querySelector('.provider-letter').textContent])`);
  expect(without).toEqual([
    ['microsoft', 'MS'],
    ['feishu', 'FS'],
    ['dingtalk', 'DT'],
    ['wecom', 'WE'],
    ['oauth2', 'OA'],
  ]);
});

it('adds, tests, disables and deletes a login provider', async () => {
  await seen.page.goto(`${served.address}/admin/providers/new`);
  await seen.page.getByRole('link', { name: 'GitHub', exact: true }).click();
  await field('Name in URLs').fill('octo');
  expect(await field('Callback URL').inputValue()).toBe(`${served.address}/api/oauth/callback/octo`);
  await field('Client ID').fill('client-of-ours');
  await seen.page.getByLabel('Client secret').first().fill('a secret of ours');
  await button('Add provider').click();
  await seen.page.waitForURL(/\/admin\/providers\/[0-9a-f-]{36}$/);
  // The address changes before the page does.
  await button('Add provider').waitFor({ state: 'detached' });
  expect(await field('Callback URL').inputValue()).toBe(`${served.address}/api/oauth/callback/octo`);
  expect(await seen.page.content()).not.toContain('a secret of ours');
  // The endpoints cannot be reached from a test, which the result shows.
  await button('Test').click();
  await seen.page.waitForSelector('text=Client ID and secret');
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

it('compares a role with another one and copies it', async () => {
  const admin = await served.service.admin();
  const one = await createRole(admin, 'compare_one', 'shop:order:read', 'shop:order:update');
  await createRole(admin, 'compare_two', 'shop:order:read', 'shop:order:delete');
  await seen.page.goto(`${served.address}/admin/roles/${one.id}`);
  await button('Choose a role').click();
  await seen.page.getByLabel('With the role').selectOption({ label: 'iam · compare_two' });
  const rows = seen.page.getByRole('region', { name: 'Compare' }).locator('tbody code');
  await rows.first().waitFor();
  expect(await rows.allInnerTexts()).toEqual(['shop:order:delete', 'shop:order:update']);
  await field('Name of the new role').fill('compare_copy');
  await button('Create copy').click();
  await seen.page.waitForSelector('h1:text-is("compare_copy")');
  const roles = await admin.get<{ items: { name: string; permissions: object[] }[] }>('/api/role?keyword=compare_copy');
  expect(roles.body.items[0]?.permissions).toEqual(one.permissions);
});

it('registers an application, shows its secret once and replaces it', async () => {
  await seen.page.goto(`${served.address}/admin/clients/new`);
  await field('Name').fill('Team wiki');
  await field('Redirect URIs').fill('http://wiki.example.com/callback');
  await button('Register application').click();
  await seen.page.waitForSelector('[aria-invalid="true"]');
  await field('Redirect URIs').fill('https://wiki.example.com/callback');
  await button('Register application').click();
  await seen.page.waitForSelector('text=The secret is shown only once');
  const first = await field('Secret').inputValue();
  expect(first.length).toBeGreaterThanOrEqual(40);
  const dialog = seen.page.getByRole('dialog', { name: 'Leave without the secret?' });
  await seen.page.getByRole('link', { name: 'Open the application' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await field('Secret').inputValue()).toBe(first);
  await seen.page.getByRole('button', { name: 'Copy: Secret' }).click();
  await seen.page.getByRole('link', { name: 'Open the application' }).click();
  await seen.page.waitForURL(/\/admin\/clients\/[0-9a-f-]{36}$/);
  expect(await dialog.count()).toBe(0);
  await seen.page.getByRole('button', { name: 'Copy: openid-client' }).waitFor();
  expect(await seen.page.locator('pre').innerText()).toContain('https://wiki.example.com/callback');
  await button('New secret').waitFor();
  expect(await seen.page.content()).not.toContain(first);
  await confirm('New secret');
  await seen.page.waitForSelector('text=The secret is shown only once');
  expect(await field('Secret').inputValue()).not.toBe(first);
});

it('presets what a service needs, and shows code to begin with', async () => {
  await seen.page.goto(`${served.address}/admin/clients/new`);
  await field('Redirect URIs').waitFor();
  await seen.page.getByRole('radio', { name: 'Machine to machine' }).click({ force: true });
  await field('Redirect URIs').waitFor({ state: 'detached' });
  await field('Name').fill('Nightly job');
  await field('Permissions').fill('role:read');
  await button('Register application').click();
  await seen.page.waitForSelector('text=The secret is shown only once');
  const secret = await field('Secret').inputValue();
  const id = await field('Client ID').inputValue();
  const code = await seen.page.locator('pre').innerText();
  expect(code).toContain(`curl -u "${id}:$CLIENT_SECRET" \\\n`);
  expect(code).not.toContain(secret);
  const [client] = await served.service.query<{ grant_types: string[]; scopes: string[] }>(
    'SELECT grant_types, scopes FROM oauth_client WHERE client_id = $1',
    [id],
  );
  expect(client).toEqual({ grant_types: ['client_credentials'], scopes: ['role:read'] });
});

it('turns off PKCE of an application with a warning, and sets the signature of its ID tokens', async () => {
  const admin = await served.service.admin();
  const { id } = await register(admin, { name: 'Old product' });
  const stored = async (): Promise<unknown[]> => {
    const { body } = await admin.get<Record<string, unknown>>(`/api/oauth/client/${id}`);
    return [body['require_pkce'], body['id_token_signed_response_alg']];
  };
  const pkce = seen.page.getByRole('switch', { name: 'PKCE is required' });
  const algorithm = seen.page.getByLabel('Signature of ID tokens');
  const warning = seen.page
    .getByRole('alert')
    .filter({ hasText: "Without PKCE, a stolen code can be used in another user's login" });
  const save = async (): Promise<void> => {
    const saved = seen.page.waitForResponse((response) => response.request().method() === 'PATCH');
    await button('Save').click();
    expect((await saved).status()).toBe(200);
  };

  await seen.page.goto(`${served.address}/admin/clients/${id}`);
  await pkce.waitFor();
  expect([await pkce.isChecked(), await warning.count(), await algorithm.inputValue()]).toEqual([true, 0, 'RS256']);
  await pkce.click({ force: true });
  await warning.waitFor();
  await algorithm.selectOption('ES256');
  await save();
  expect(await stored()).toEqual([false, 'ES256']);
  await seen.page.reload();
  await warning.waitFor();
  expect([await pkce.isChecked(), await algorithm.inputValue()]).toEqual([false, 'ES256']);
  await pkce.click({ force: true });
  await warning.waitFor({ state: 'detached' });
  await save();
  expect(await stored()).toEqual([true, 'ES256']);
});

it('offers no PKCE switch for a public application', async () => {
  await seen.page.goto(`${served.address}/admin/clients/new`);
  const pkce = seen.page.getByRole('switch', { name: 'PKCE is required' });
  await pkce.waitFor();
  await seen.page.locator('input[type="radio"][value="page"]').click({ force: true });
  await pkce.waitFor({ state: 'detached' });
  expect(await seen.page.getByLabel('Signature of ID tokens').inputValue()).toBe('RS256');
});

it('edits a message with a live preview, rejects a text without the code and resets it', async () => {
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

it('filters deliveries by purpose, provider and time', async () => {
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
