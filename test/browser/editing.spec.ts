import { ADMIN, PASSWORD } from '../support/service/test-service';
import type { TestClient } from '../support/service/test-client';
import { agree, openAs } from './people';
import { pageForEach, serveForAll } from './stage';

const served = serveForAll();
const seen = pageForEach(1280);
let admin: TestClient;

beforeAll(async () => {
  admin = await served.service.admin();
});

const button = (name: string) => seen.page.getByRole('button', { name, exact: true });
const field = (label: string) => seen.page.getByLabel(label, { exact: true });
const dialog = () => seen.page.getByRole('dialog');
const open = (path: string) => openAs(seen.page, served.address, ADMIN.username, ADMIN.password, path);
const notification = (text: string) => seen.page.getByRole('alert').filter({ hasText: text });
const untilFocused = (selector: string) => seen.page.waitForSelector(`${selector}:focus`);

const createUser = async (username: string): Promise<string> =>
  (await admin.post<{ id: string }>('/api/user', { username })).body.id;

describe('keyboard focus', () => {
  it('returns to the button of a cancelled and of a confirmed dialog', async () => {
    await open(`/admin/users/${await createUser('focus_kept')}`);
    await button('Disable').press('Enter');
    await dialog().getByRole('button', { name: 'Cancel', exact: true }).press('Enter');
    await untilFocused('button:has-text("Disable")');
    await button('Disable').press('Enter');
    await dialog().getByRole('button', { name: 'Disable', exact: true }).press('Enter');
    await untilFocused('button:has-text("Enable")');
  });

  it('moves to the heading when the row of the dialog is gone', async () => {
    const id = await createUser('focus_moved');
    await admin.patch(`/api/user/${id}/permissions`, {
      add: [{ scope: 'iam', permission_id: 'role:read', level: 1 }],
    });
    await open(`/admin/users/${id}?tab=access`);
    await button('Remove role:read').press('Enter');
    await dialog().getByRole('button', { name: 'Remove', exact: true }).press('Enter');
    await untilFocused('main h1');
  });

  it('stays at the button that waits for its request', async () => {
    await open('/account');
    await field('Display name').fill('Keeps focus');
    await button('Save').first().press('Enter');
    await notification('Saved').waitFor();
    await untilFocused('button:has-text("Save")');
  });
});

describe('unsaved input', () => {
  it.each([
    { path: '/account', other: '/account/sessions' },
    { path: '/admin/users/new', other: '/admin/roles' },
  ])('is kept when the user does not want to leave the page: $path', async ({ path, other }) => {
    await open(path);
    await field('Display name').fill('Not saved');
    await seen.page.locator(`nav a[href="${other}"]`).click();
    await dialog().getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(new URL(seen.page.url()).pathname).toBe(path);
    expect(await field('Display name').inputValue()).toBe('Not saved');
    await seen.page.locator(`nav a[href="${other}"]`).click();
    await agree(seen.page, 'Leave without saving');
    await seen.page.waitForURL(served.address + other);
  });

  it.each([
    { path: '/account', next: '/account/security', label: 'New password' },
    { path: '/admin/users', next: '/admin/users/new', label: 'Display name' },
  ])('asks on Back, too: $next', async ({ path, next, label }) => {
    await open(path);
    await seen.page.locator(`a[href="${next}"]`).click();
    await field(label).fill('half of it');
    await seen.page.goBack();
    await dialog().getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await field(label).inputValue()).toBe('half of it');
  });

  it('is not asked about after it was saved', async () => {
    await open('/admin/users/new');
    await seen.page.getByRole('textbox', { name: 'Username' }).fill('saved_and_gone');
    await button('Create user').click();
    await seen.page.waitForSelector('h1:text-is("saved_and_gone")');
    expect(await dialog().count()).toBe(0);
  });
});

describe('an error of a field', () => {
  it('is shown beside the field only', async () => {
    await open('/admin/users/new');
    await seen.page.getByRole('textbox', { name: 'Username' }).fill('a b');
    await button('Create user').click();
    await seen.page.waitForSelector('[aria-invalid="true"]');
    expect(await seen.page.locator('.mantine-Notification-root').count()).toBe(0);
  });

  it('is shown beside the password that is too common', async () => {
    await served.service.register('common_word');
    await openAs(seen.page, served.address, 'common_word', PASSWORD, '/account/security');
    await field('Current password').fill(PASSWORD);
    await field('New password').fill('password');
    await button('Save').click();
    await seen.page.waitForSelector('input[autocomplete="new-password"][aria-invalid="true"]');
    await seen.page.goto(`${served.address}/register`);
    await seen.page.fill('input[autocomplete="username"]', 'another_one');
    await seen.page.fill('input[autocomplete="new-password"]', 'password');
    await button('Create account').click();
    await seen.page.waitForSelector('input[autocomplete="new-password"][aria-invalid="true"]');
  });

  it('is a notification when the page does not show the field, and ends with the next success', async () => {
    const id = await createUser('fails_once');
    await open(`/admin/users/${id}`);
    const problem = {
      title: 'Bad request',
      status: 400,
      code: 'validation_failed',
      errors: [{ field: 'hidden', code: 'min', detail: 'Must be at least 3.' }],
    };
    await seen.page.route(`**/api/user/${id}?*`, (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 400, contentType: 'application/problem+json', json: problem })
        : route.fallback(),
    );
    await button('Disable').click();
    await agree(seen.page, 'Disable');
    await notification('hidden: Must be at least 3.').waitFor();
    await seen.page.unrouteAll();
    await button('Disable').click();
    await agree(seen.page, 'Disable');
    await notification('Saved').waitFor();
    await notification('hidden: Must be at least 3.').waitFor({ state: 'detached' });
  });
});

describe('a broad permission', () => {
  it('is preselected at the lowest level and granted after a dialog that names what is gained', async () => {
    const { body: role } = await admin.post<{ id: string }>('/api/role', { name: 'broad' });
    const path = `/api/role/${role.id}`;
    await open(`/admin/roles/${role.id}`);
    await field('Permission').fill('*:*');
    await seen.page.getByRole('status').getByText('audit:read', { exact: true }).waitFor();
    expect(await field('Level').inputValue()).toBe('1');
    await button('Add').first().click();
    await dialog().getByText('Grant iam:*:* at level 1 · read?').waitFor();
    await dialog().getByText('0 members will gain:').waitFor();
    await dialog().getByText('audit:read', { exact: true }).waitFor();
    await dialog().getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
    expect((await admin.get(path)).body).toMatchObject({ permissions: [] });
    await button('Add').first().click();
    await agree(seen.page, 'Add');
    await notification('Saved').waitFor();
    expect((await admin.get(path)).body).toMatchObject({
      permissions: [{ scope: 'iam', permission_id: '*:*', level: 1 }],
    });
  });
});

it('gives roles to a new user', async () => {
  const { body: role } = await admin.post<{ id: string }>('/api/role', { name: 'greeter' });
  await open('/admin/users/new');
  await seen.page.getByRole('textbox', { name: 'Username' }).fill('has_a_role');
  await field('Add role').selectOption('iam · greeter');
  await button('Remove the role iam · greeter').waitFor();
  await button('Create user').click();
  await seen.page.waitForSelector('h1:text-is("has_a_role")');
  const { body: found } = await admin.get<{ items: { username: string }[] }>(`/api/user?role_id=${role.id}`);
  expect(found.items.map(({ username }) => username)).toEqual(['has_a_role']);
});

it('finds a user by a part of the name', async () => {
  await admin.post('/api/user', { username: 'zhang_wei', nickname: '张伟' });
  await open(`/admin/users?keyword=${encodeURIComponent('伟')}`);
  await seen.page.locator('td a').getByText('zhang_wei').waitFor();
  expect(await seen.page.locator('tbody tr').count()).toBe(1);
});

it('names the author and the body of an earlier message', async () => {
  const path = '/api/message-template/email/login/en';
  const text = 'Hello!\n\n{code}\n\nThis body is kept';
  const { status } = await admin.put(path, { subject: 'Kept', text, html: null, version: 0 });
  expect(status).toBe(200);
  await open('/admin/templates/email.login.en');
  const row = seen.page.locator('tr', { hasText: 'Kept' });
  await row.getByText(ADMIN.username).waitFor();
  await row.getByText('Text of version 1').click();
  await row.getByText('This body is kept').waitFor();
});
