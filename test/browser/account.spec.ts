import { ADMIN, PASSWORD } from '../support/test-service';
import { agree, openAs } from './people';
import { pageForEach, serveForAll } from './stage';
import { accessibilityFaults } from './watch';

const served = serveForAll();
const seen = pageForEach(1280);

const dialog = () => seen.page.getByRole('dialog');
const field = (label: string) => seen.page.getByLabel(label, { exact: true });
const openAsAdmin = (path: string) => openAs(seen.page, served.address, ADMIN.username, ADMIN.password, path);
/** Follows a link of the menu. */
const go = (path: string) => seen.page.locator(`nav a[href="${path}"]`).click();

it('loads nothing of the console, under the policy of the login pages', async () => {
  await served.service.register('loads_little');
  const names: string[] = [];
  seen.page.on('request', (request) => names.push(new URL(request.url()).pathname));
  await openAs(seen.page, served.address, 'loads_little', PASSWORD);
  await field('Display name').waitFor();
  expect(names.filter((name) => /console|mantine/.test(name))).toEqual([]);
  const [account, login] = await Promise.all(
    ['/account', '/login'].map(async (path) => (await seen.page.request.get(served.address + path)).headers()),
  );
  expect(account!['content-security-policy']).toBe(login!['content-security-policy']);
});

it('leads to the console and back, and asks about unsaved input both times', async () => {
  await openAsAdmin('/account');
  await field('Display name').fill('Not saved');
  await go('/admin');
  await dialog().getByRole('button', { name: 'Cancel', exact: true }).click();
  expect(await field('Display name').inputValue()).toBe('Not saved');
  await go('/admin');
  await agree(seen.page, 'Leave without saving');
  await seen.page.waitForSelector('nav a[href="/admin/users"]');
  await seen.page.goto(`${served.address}/admin/users/new`);
  await field('Display name').fill('Not saved');
  await go('/account/security');
  await agree(seen.page, 'Leave without saving');
  await seen.page.waitForURL(`${served.address}/account/security`);
  await field('New password').waitFor();
});

it('follows Back and Forward, and focuses the heading of each page', async () => {
  await openAsAdmin('/account');
  await seen.page.waitForSelector('h1');
  for (const path of ['/account/security', '/account/sessions']) {
    await go(path);
    await seen.page.waitForURL(served.address + path);
  }
  for (const [step, title] of [
    ['goBack', 'Password and account'],
    ['goBack', 'Profile'],
    ['goForward', 'Password and account'],
  ] as const) {
    await seen.page[step]();
    await seen.page.locator(`h1:focus:text-is("${title}")`).waitFor();
    expect(await seen.page.title()).toContain(title);
  }
});

it('asks again about input that stayed after Back, and goes back then', async () => {
  await openAsAdmin('/account');
  await seen.page.waitForSelector('h1');
  await go('/account/security');
  await field('New password').fill('half of a pass');
  await seen.page.goBack();
  await dialog().getByRole('button', { name: 'Cancel', exact: true }).click();
  expect(new URL(seen.page.url()).pathname).toBe('/account/security');
  await seen.page.goBack();
  await agree(seen.page, 'Leave without saving');
  await seen.page.waitForURL(`${served.address}/account`);
  await seen.page.waitForSelector('h1:text-is("Profile")');
});

it('closes a question on Escape, and gives the focus back', async () => {
  await openAsAdmin('/account/security');
  const button = seen.page.getByRole('button', { name: 'Delete the account', exact: true });
  await button.press('Enter');
  await dialog().waitFor();
  expect(await dialog().locator('button:focus').textContent()).toBe('Cancel');
  await seen.page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await seen.page.locator('button:focus:text-is("Delete the account")').waitFor();
});

it('offers to reload a page whose code cannot be loaded', async () => {
  await openAsAdmin('/account');
  await seen.page.waitForSelector('h1');
  await seen.page.route('**/assets/sessions-page*.js', (route) => route.abort());
  await go('/account/sessions');
  await seen.page.getByRole('alert').getByText('This page could not be loaded').waitFor();
  expect(await accessibilityFaults(seen.page)).toEqual([]);
  await seen.page.unroute('**/assets/sessions-page*.js');
  await seen.page.getByRole('button', { name: 'Reload', exact: true }).click();
  await seen.page.waitForSelector('text=This device');
});

it('says why a list could not be loaded, and loads it on Reload', async () => {
  await served.service.register('waits_a_bit');
  const busy = {
    type: 'about:blank',
    title: 'x',
    detail: 'Busy, try again.',
    status: 503,
    code: 'service_unavailable',
  };
  await seen.page.route('**/api/oauth/consent?*', (route) =>
    route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(busy) }),
  );
  await openAs(seen.page, served.address, 'waits_a_bit', PASSWORD, '/account/applications');
  await seen.page.getByRole('alert').getByText('Busy, try again.').waitFor();
  expect(await accessibilityFaults(seen.page)).toEqual([]);
  await seen.page.unroute('**/api/oauth/consent?*');
  await seen.page.getByRole('button', { name: 'Reload', exact: true }).click();
  await seen.page.waitForSelector('text=You have not connected any application yet.');
});

it('uploads a picture, shrunk in the browser', async () => {
  await served.service.register('shows_face');
  await openAs(seen.page, served.address, 'shows_face', PASSWORD);
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const chooser = seen.page.waitForEvent('filechooser');
  await seen.page.getByRole('button', { name: 'Upload a picture', exact: true }).click();
  await (await chooser).setFiles({ name: 'face.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') });
  await seen.page.getByText('Saved', { exact: true }).waitFor();
  const shown = await seen.page.locator('.person img').getAttribute('src');
  expect(shown).toMatch(/^\/api\//);
  const again = seen.page.waitForEvent('filechooser');
  await seen.page.getByRole('button', { name: 'Upload a picture', exact: true }).click();
  await (await again).setFiles({ name: 'notes.txt', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await seen.page.getByRole('alert').getByText('This file cannot be shown as a picture.').waitFor();
});
