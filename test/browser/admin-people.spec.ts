import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { enrolTotp } from '../support/accounts/second-factors';
import { ADMIN } from '../support/service/test-service';
import { expectGoodLooks } from './every-page';
import { agree, openAs } from './people';
import { openViewer, pageForAll, serveForAll } from './stage';
import { complaintsOf, isSettled } from './watch';

const served = serveForAll();
const seen = pageForAll(1280);
let complaints: string[];

beforeAll(async () => {
  complaints = complaintsOf(seen.page);
  await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/users');
});

afterEach(() => {
  expect(complaints).toEqual([]);
});

const button = (name: string) => seen.page.getByRole('button', { name, exact: true });

const idOf = async (username: string): Promise<string> => {
  const [row] = await served.service.query<{ id: string }>('SELECT id FROM user_account WHERE username = $1', [
    username,
  ]);
  return row!.id;
};

it('preselects the lowest level that a permission requires until the user chooses another', async () => {
  await served.service.register('holds_little');
  await seen.page.goto(`${served.address}/admin/users/${await idOf('holds_little')}?tab=access`);
  const level = seen.page.getByLabel('Level', { exact: true });
  const levelFor = async (permission: string): Promise<string | null> => {
    await seen.page.getByLabel('Permission', { exact: true }).fill(permission);
    return level.locator('option:checked').textContent();
  };
  expect(await levelFor('user:update')).toBe('3 · update');
  expect(await levelFor('user:*')).toBe('7 · admin');
  await level.selectOption({ label: '2 · create' });
  expect(await levelFor('user:update')).toBe('2 · create');
});

it('grants a user a direct permission that works at once, and revokes it', async () => {
  const client = await served.service.signUp('held_directly');
  await seen.page.goto(`${served.address}/admin/users/${await idOf('held_directly')}?tab=access`);
  const grants = seen.page.locator('section:has(h2:text-is("Direct permissions"))');
  await grants.getByLabel('Permission', { exact: true }).fill('audit:read');
  await grants.getByText('held_directly will gain:').waitFor();
  await grants.getByRole('button', { name: 'Add', exact: true }).click();
  await grants.getByText('Direct', { exact: true }).waitFor();
  expect((await client.get('/api/audit')).status).toBe(200);
  await expectGoodLooks(seen.page);
  await grants.getByRole('button', { name: 'Remove audit:read', exact: true }).click();
  await agree(seen.page, 'Remove');
  await grants.getByText('None.', { exact: true }).waitFor();
  expect((await client.get('/api/audit')).status).toBe(403);
});

it('refuses a permission that the catalogue lacks, or adds it to the catalogue on request', async () => {
  await served.service.register('gets_unknown');
  await seen.page.goto(`${served.address}/admin/users/${await idOf('gets_unknown')}?tab=access`);
  const grants = seen.page.locator('section:has(h2:text-is("Direct permissions"))');
  const add = grants.getByRole('button', { name: 'Add', exact: true });
  await grants.getByLabel('Permission', { exact: true }).fill('user:read');
  await grants.getByText('The catalogue does not have iam:user:read. Check the spelling.').waitFor();
  expect(await add.isDisabled()).toBe(true);

  await grants.getByLabel('Scope').fill('crm');
  await grants.getByLabel('Permission', { exact: true }).fill('note:read');
  await grants.getByText('The catalogue does not have crm:note:read. Check the spelling.').waitFor();
  expect(await add.isDisabled()).toBe(true);
  await expectGoodLooks(seen.page);
  await grants.getByLabel('Add crm:note:read to the catalogue').check();
  await add.click();
  await grants.getByRole('button', { name: 'Remove note:read', exact: true }).waitFor();
  const admin = await served.service.admin();
  const { body } = await admin.get<{ items: { scope: string; permission_id: string }[] }>('/api/permission');
  expect(body.items.filter(({ scope }) => scope === 'crm').map((entry) => entry.permission_id)).toEqual(['note:read']);
});

it('edits the profile of a user', async () => {
  const admin = await served.service.admin();
  const made = await admin.post<{ id: string }>('/api/user', { username: 'put_right', email: 'right@example.com' });
  await seen.page.goto(`${served.address}/admin/users/${made.body.id}`);
  await seen.page.getByLabel('The e-mail address is verified').check();
  await seen.page.locator('main').getByLabel('Language').selectOption('zh');
  await seen.page.getByLabel('Display name').fill('Put Right');
  await button('Save').first().click();
  await seen.page.waitForSelector('text="Saved"');
  expect((await admin.get(`/api/user/${made.body.id}`)).body).toMatchObject({
    email: 'right@example.com',
    email_verified: true,
    locale: 'zh',
    nickname: 'Put Right',
  });
});

it('ends one session of a user and keeps the other', async () => {
  const one = await served.service.signUp('two_devices');
  const other = await served.service.logIn('two_devices');
  await seen.page.goto(`${served.address}/admin/users/${await idOf('two_devices')}?tab=sessions`);
  const sessions = seen.page.locator('section:has(h2:text-is("Devices"))');
  const ends = sessions.getByRole('button', { name: /^Log out / });
  await ends.nth(1).waitFor();
  expect(await ends.count()).toBe(2);
  await ends.first().click();
  await ends.nth(1).waitFor({ state: 'detached' });
  const statuses = await Promise.all([one, other].map(async (client) => (await client.get('/api/auth/me')).status));
  expect(statuses.sort()).toEqual([200, 401]);
});

it('resets the second factors of a user, who then logs in without one', async () => {
  const client = await served.service.signUp('lost_phone');
  await enrolTotp(client);
  await seen.page.goto(`${served.address}/admin/users/${await idOf('lost_phone')}?tab=security`);
  await button('Reset two-step verification').click();
  await agree(seen.page, 'Reset two-step verification');
  await seen.page.waitForSelector('text=Two-step verification has been reset.');
  const again = await served.service.logIn('lost_phone');
  expect((await again.get<{ items: unknown[] }>('/api/auth/mfa')).body.items).toEqual([]);
});

it('renames a role and requires a second factor from its members', async () => {
  const admin = await served.service.admin();
  const { body } = await admin.post<{ id: string }>('/api/role', { name: 'careful' });
  await seen.page.goto(`${served.address}/admin/roles/${body.id}`);
  await seen.page.getByLabel('Name', { exact: true }).fill('very-careful');
  await seen.page.getByLabel('Members need two-step verification').check();
  await button('Save').click();
  await seen.page.waitForSelector('h1:has-text("very-careful")');
  expect((await admin.get(`/api/role/${body.id}`)).body).toMatchObject({ name: 'very-careful', mfa_required: true });
  await expectGoodLooks(seen.page);
});

it('creates new signing keys without ending sessions', async () => {
  await seen.page.goto(`${served.address}/admin/signing-keys`);
  await seen.page.waitForSelector('td');
  const rows = await seen.page.locator('tbody tr').count();
  await button('Create new keys').click();
  await agree(seen.page, 'Create new keys');
  await seen.page.waitForSelector('text="Signs soon"');
  expect(await seen.page.locator('tbody tr').count()).toBeGreaterThan(rows);
  await seen.page.reload();
  await seen.page.waitForSelector('h1:has-text("Signing keys")');
});

it('exports the audit log with the current filters', async () => {
  expect((await (await served.service.admin()).post('/api/signing-key')).status).toBeLessThan(300);
  await seen.page.goto(`${served.address}/admin/audit?action=signing_key.rotate`);
  await seen.page.getByLabel('From').fill('2020-01-01T00:00');
  await seen.page.waitForSelector('td code');
  const download = seen.page.waitForEvent('download');
  await button('Export NDJSON').click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('audit.ndjson');
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { action: string }).action)).toEqual(
    lines.map(() => 'signing_key.rotate'),
  );
});

it('renames a passkey of the user', async () => {
  const client = await served.service.signUp('names_passkey');
  await enrolTotp(client);
  await served.service.query(
    `INSERT INTO mfa_passkey (id, user_id, credential_id, rp_id, public_key, counter, transports, is_device_bound,
       is_backed_up, name, aaguid) VALUES ($1, $2, 'credential', 'localhost', 'key', 0, '[]', false, false, 'Linux', $1)`,
    [randomUUID(), await idOf('names_passkey')],
  );
  const owner = await openViewer(390, { locale: 'en-GB' });
  try {
    await owner.context.addCookies([...client.jar].map(([name, value]) => ({ name, value, url: served.address })));
    const own = await owner.context.newPage();
    await own.goto(`${served.address}/account/mfa`);
    await own.getByRole('button', { name: 'Rename Linux', exact: true }).click();
    await own.getByLabel('Name of the passkey').fill('The laptop at home');
    await expectGoodLooks(own);
    await own.getByRole('button', { name: 'Save', exact: true }).click();
    await own.getByRole('button', { name: 'Rename The laptop at home', exact: true }).waitFor();
  } finally {
    await owner.close();
  }
});

it('shows all menu entries without scrolling', async () => {
  await seen.page.setViewportSize({ width: 1280, height: 900 });
  await seen.page.goto(`${served.address}/admin/users`);
  await seen.page.waitForSelector('nav a[href="/admin/doctor"]');
  await isSettled(seen.page);
  const last = await seen.page.locator('nav a').last().boundingBox();
  expect(last!.y + last!.height).toBeLessThanOrEqual(900);
});
