import { eventually } from '../support/service/eventually';
import { createRole } from '../support/accounts/holders';
import { TestClient } from '../support/service/test-client';
import { ADMIN } from '../support/service/test-service';
import { WebhookReceiver } from '../support/receivers/webhook-receiver';
import { expectGoodLooks } from './every-page';
import { agree, openAs } from './people';
import { pageForAll, serveForAll } from './stage';
import { accessibilityFaults, complaintsOf, isSettled } from './watch';

interface Webhook {
  readonly id: string;
  readonly types: string[];
  readonly headers: object;
}

const served = serveForAll();
const seen = pageForAll(1280);
let complaints: string[];
let admin: TestClient;
let receiver: WebhookReceiver;

beforeAll(async () => {
  complaints = complaintsOf(seen.page);
  admin = await served.service.admin();
  receiver = await WebhookReceiver.start();
  await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/webhooks');
});

afterEach(() => {
  expect(complaints).toEqual([]);
});

afterAll(() => receiver.stop());

const section = (title: string) => seen.page.locator(`section:has(h2:text-is("${title}"))`);
const button = (name: string) => seen.page.getByRole('button', { name, exact: true });
const open = (path: string) => seen.page.goto(`${served.address}${path}`);
const stored = async (): Promise<Webhook> => (await admin.get<{ items: Webhook[] }>('/api/webhook')).body.items[0]!;

it('adds a webhook for chosen types, shows its secret once, and changes it', async () => {
  await seen.page.getByRole('link', { name: 'Add webhook' }).click();
  await seen.page.getByLabel('Name').fill('Billing');
  await seen.page.getByLabel('URL').fill(receiver.url);
  await seen.page.getByRole('radio', { name: 'Only these' }).click();
  await seen.page.getByRole('checkbox', { name: 'Role created' }).click();
  await seen.page.getByRole('checkbox', { name: 'Setting changed' }).click();
  await button('Add header').click();
  await seen.page.getByRole('textbox', { name: 'Header' }).fill('authorization');
  await seen.page.getByLabel('Value', { exact: true }).fill('Bearer one');
  await expectGoodLooks(seen.page);
  await button('Add webhook').click();
  await seen.page.waitForSelector('text=The secret is shown only once');
  expect(await seen.page.getByLabel('Secret', { exact: true }).inputValue()).toMatch(/^whsec_/);
  await expectGoodLooks(seen.page);
  await seen.page.getByRole('button', { name: 'Copy: Secret' }).click();
  await seen.page.getByRole('link', { name: 'Open the webhook' }).click();
  expect(await stored()).toMatchObject({ types: ['role.created', 'setting.*'], headers: { authorization: null } });
  await seen.page.getByRole('checkbox', { name: 'Roles: all' }).click();
  await button('Save').click();
  await seen.page.waitForSelector('text="Saved"');
  expect(await stored()).toMatchObject({ types: ['setting.*', 'role.*'], headers: { authorization: null } });
});

it('tests a webhook, shows deliveries, retries one, and replaces the secret', async () => {
  const { id } = await stored();
  await open(`/admin/webhooks/${id}`);
  await button('Send test event').click();
  await section('Test').getByText('Status 204').waitFor();
  await createRole(admin, 'observed');
  await receiver.until(1, ({ event }) => event.type === 'role.created');
  await seen.page.reload();
  const deliveries = section('Deliveries');
  await deliveries.getByText('Role created').waitFor();
  await deliveries.getByRole('button', { name: /^Retry: role.created/ }).click();
  await receiver.until(2, ({ event }) => event.type === 'role.created');
  await deliveries.getByLabel('Status').selectOption('failed');
  await deliveries.getByText('Nothing was given up.').waitFor();
  await button('New secret').click();
  await agree(seen.page, 'New secret');
  await seen.page.waitForSelector('text=The secret is shown only once');
});

it('says what to do about a webhook that was disabled after failures', async () => {
  const { id } = await stored();
  await served.service.query('UPDATE webhook SET enabled = false, failing_since = now()');
  await open(`/admin/webhooks/${id}`);
  await seen.page.waitForSelector('text=No event is lost.');
  await expectGoodLooks(seen.page);
  await button('Enable').click();
  await seen.page.getByText('No event is lost.').waitFor({ state: 'detached' });
});

it('says why a webhook sends no more for the user who set it, and lets another take it over', async () => {
  const { id } = await stored();
  await open(`/admin/webhooks/${id}`);
  await seen.page.waitForSelector('text=Sends as long as its last editor may set webhooks');
  const off = `UPDATE webhook SET enabled = false, disabled_reason = 'setter_unauthorized', set_by = NULL`;
  await served.service.query(off);
  await open(`/admin/webhooks/${id}`);
  await seen.page.waitForSelector('text=the user who last set it may no longer send events');
  await expectGoodLooks(seen.page);
  await button('Enable').click();
  await seen.page.getByText('may no longer send events').waitFor({ state: 'detached' });
});

it('adds a receiver of Security Event Tokens, and changes its audience', async () => {
  await open('/admin/webhooks/new');
  await seen.page.getByLabel('Name').fill('Gateway');
  await seen.page.getByLabel('URL').fill(receiver.url);
  await seen.page.getByLabel('Format').selectOption('caep');
  await seen.page.getByLabel('Audience').fill('https://gateway.example.com');
  await expectGoodLooks(seen.page);
  await button('Add webhook').click();
  await seen.page.waitForSelector('text=verifies the tokens');
  expect(await seen.page.getByLabel('Secret', { exact: true }).count()).toBe(0);
  await seen.page.getByRole('link', { name: 'Open the webhook' }).click();
  const audience = seen.page.getByLabel('Audience');
  await audience.fill('https://gateway.example.org');
  await button('Save').click();
  await seen.page.waitForSelector('text="Saved"');
  expect(await seen.page.getByLabel('Format').isDisabled()).toBe(true);
  expect(await seen.page.getByLabel('Format').inputValue()).toBe('caep');
  expect(await button('New secret').count()).toBe(0);
  const { items } = (await admin.get<{ items: object[] }>('/api/webhook')).body;
  expect(items).toContainEqual(
    expect.objectContaining({ name: 'Gateway', format: 'caep', audience: 'https://gateway.example.org' }),
  );
});

it('shows the newest events, filters them, and opens one beside the list', async () => {
  const role = await createRole(admin, 'newest');
  await eventually(
    async () => (await admin.get<{ items: { subject: { id: string } }[] }>('/api/event/recent')).body.items[0],
    (newest) => newest?.subject.id === role.id,
    30,
  );
  await open('/admin/events');
  await seen.page.getByLabel('Type of event').selectOption('role.*');
  await seen.page.getByRole('link', { name: 'newest' }).waitFor();
  await seen.page
    .getByRole('button', { name: /^Details: Role created/ })
    .first()
    .click();
  const drawer = seen.page.getByRole('dialog');
  await drawer.getByText(`"id": "${role.id}"`).waitFor();
  await isSettled(seen.page);
  expect(await accessibilityFaults(seen.page)).toEqual([]);
  await drawer.getByRole('link', { name: 'newest' }).click();
  await seen.page.waitForURL(`**/admin/roles/${role.id}`);
});
