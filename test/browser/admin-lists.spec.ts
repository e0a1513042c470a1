import { ADMIN } from '../support/service/test-service';
import { agree, openAs } from './people';
import { pageForAll, serveForAll } from './stage';
import { isSettled } from './watch';

const served = serveForAll();
const seen = pageForAll(1280);

beforeAll(async () => {
  await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/users');
});

const button = (name: string) => seen.page.getByRole('button', { name, exact: true });
const link = (name: string) => seen.page.locator('main').getByRole('link', { name, exact: true });
const menu = (path: string) => seen.page.locator(`nav a[href="${path}"]`);

it('shows a new role in the list at once and removes a deleted one', async () => {
  await seen.page.goto(`${served.address}/admin/roles`);
  await link('admin').waitFor();
  await seen.page.getByLabel('New role').fill('short-lived');
  await button('Add').click();
  await seen.page.waitForSelector('h1:has-text("short-lived")');
  await seen.page.goBack();
  await link('short-lived').click();
  await button('Delete role').click();
  await agree(seen.page, 'Delete role');
  await seen.page.waitForURL(`${served.address}/admin/roles`);
  await link('admin').waitFor();
  await isSettled(seen.page);
  expect(await link('short-lived').count()).toBe(0);
});

it('counts newly added members in the confirmation before a role is deleted', async () => {
  await served.service.register('just_added');
  const { body } = await (await served.service.admin()).post<{ id: string }>('/api/role', { name: 'counted' });
  await seen.page.goto(`${served.address}/admin/roles/${body.id}`);
  await seen.page.getByLabel('Add members').fill('just_added');
  await button('Add').last().click();
  await link('just_added').waitFor();
  await button('Delete role').click();
  await seen.page
    .getByRole('dialog')
    .getByText(/\b1 member\b/)
    .waitFor();
  await seen.page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
});

it('does not show a deleted user after going back', async () => {
  const made = await (await served.service.admin()).post<{ id: string }>('/api/user', { username: 'soon_gone' });
  await seen.page.goto(`${served.address}/admin/users`);
  await link('soon_gone').click();
  await button('Delete user').click();
  await agree(seen.page, 'Delete user');
  await seen.page.waitForURL(`${served.address}/admin/users`);
  await link(ADMIN.username).waitFor();
  await menu('/admin/roles').click();
  await seen.page.goBack();
  await link(ADMIN.username).waitFor();
  await isSettled(seen.page);
  expect(await link('soon_gone').count()).toBe(0);
  await seen.page.goto(`${served.address}/admin/users/${made.body.id}`);
  await seen.page.locator('main [role="alert"]').waitFor();
});

it('offers all roles in selects, beyond the first page', async () => {
  const admin = await served.service.admin();
  for (let count = 1; count <= 101; count += 1) await admin.post('/api/role', { name: `z-${count}` });
  const [user] = await served.service.query<{ id: string }>(`SELECT id FROM user_account WHERE username = $1`, [
    ADMIN.username,
  ]);
  for (const [path, label] of [
    ['/admin/users', 'Role'],
    [`/admin/users/${user!.id}?tab=access`, 'Add role'],
  ] as const) {
    await seen.page.goto(served.address + path);
    await seen.page.getByLabel(label, { exact: true }).selectOption({ label: 'iam · z-99' });
  }
});
