import { lastCode } from '../support/receivers/inbox';
import { ADMIN, PASSWORD } from '../support/service/test-service';
import { agree, openAccountMenu, openAs } from './people';
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

it('verifies an address with a code, without changing it', async () => {
  await served.service.register('verifies_own', { email: 'verifies@example.com', password: PASSWORD });
  await openAs(seen.page, served.address, 'verifies_own', PASSWORD);
  await seen.page.getByText('Not verified', { exact: true }).waitFor();
  await seen.page.getByRole('button', { name: 'Verify: E-mail address' }).click();
  expect(await field('E-mail address').count()).toBe(0);
  await seen.page.getByRole('button', { name: 'Send code' }).click();
  await seen.page.getByText('We sent a code to verifies@example.com.').waitFor();
  await field('Verification code').fill(lastCode(served.service, 'verifies@example.com'));
  expect(await accessibilityFaults(seen.page)).toEqual([]);
  await seen.page.getByRole('button', { name: 'Verify', exact: true }).click();
  await seen.page.getByText('Verified', { exact: true }).waitFor();
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

/** Stays on the page, and returns the types of the questions that the browser has asked. */
function declineQuestions(): string[] {
  const asked: string[] = [];
  seen.page.on('dialog', (question) => {
    asked.push(question.type());
    void question.dismiss();
  });
  return asked;
}

/** Input counts for the browser only after the user has touched the page. */
async function typeName(): Promise<void> {
  await field('Display name').click();
  await field('Display name').fill('Not saved');
}

it('asks about input before the browser leaves the document, in both directions', async () => {
  await openAsAdmin('/account');
  await field('Display name').waitFor();
  await go('/admin');
  await seen.page.waitForURL(/\/admin/);
  await seen.page.goBack();
  const asked = declineQuestions();
  await typeName();
  for (const step of ['history.forward()', 'history.back()', 'location.reload()']) {
    const question = seen.page.waitForEvent('dialog');
    await seen.page.evaluate(step);
    await question;
    expect(await field('Display name').inputValue()).toBe('Not saved');
  }
  await go('/admin');
  await agree(seen.page, 'Leave without saving');
  await seen.page.waitForURL(/\/admin/);
  expect(asked).toEqual(['beforeunload', 'beforeunload', 'beforeunload']);
});

it('asks about input of the console before the browser leaves the document, and only once', async () => {
  await openAsAdmin('/admin/users/new');
  const asked = declineQuestions();
  await typeName();
  const question = seen.page.waitForEvent('dialog');
  await seen.page.evaluate('location.reload()');
  await question;
  expect(await field('Display name').inputValue()).toBe('Not saved');
  await go('/account/security');
  await agree(seen.page, 'Leave without saving');
  await field('New password').waitFor();
  expect(asked).toEqual(['beforeunload']);
});

it('asks one question after two steps back', async () => {
  await openAsAdmin('/account');
  await seen.page.waitForSelector('h1');
  await go('/account/sessions');
  await seen.page.waitForURL(/sessions$/);
  await go('/account/security');
  await field('New password').fill('half of a pass');
  await seen.page.goBack();
  await dialog().waitFor();
  await seen.page.goBack();
  await seen.page.waitForURL(/security$/);
  expect(await dialog().count()).toBe(1);
  await agree(seen.page, 'Leave without saving');
  await seen.page.waitForURL(/sessions$/);
});

it('shows the page of an address with a slash at its end', async () => {
  await openAsAdmin('/account/security/');
  await field('New password').waitFor();
  expect(new URL(seen.page.url()).pathname).toBe('/account/security');
});

it('stops loading a page when the user chooses the current one', async () => {
  await openAsAdmin('/account');
  await seen.page.waitForSelector('h1');
  const asked = seen.page.waitForRequest('**/assets/sessions-page*.js');
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await seen.page.route('**/assets/sessions-page*.js', async (route) => {
    await released;
    await route.continue();
  });
  await go('/account/sessions');
  await asked;
  await go('/account');
  await seen.page.locator('.on-its-way').waitFor({ state: 'detached' });
  const loaded = seen.page.waitForResponse('**/assets/sessions-page*.js');
  release();
  await (await loaded).finished();
  await go('/account/security');
  await field('New password').waitFor();
  expect(new URL(seen.page.url()).pathname).toBe('/account/security');
});

it('opens in a browser that blocks storage', async () => {
  await seen.page.addInitScript(`
    Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('Blocked', 'SecurityError'); } });
  `);
  await openAsAdmin('/account');
  await field('Display name').waitFor();
});

it('follows the colour scheme that another tab has chosen', async () => {
  await openAsAdmin('/account');
  await field('Display name').waitFor();
  const beside = await seen.context.newPage();
  await beside.goto(`${served.address}/account`);
  await openAccountMenu(beside);
  await beside.locator('header select').nth(1).selectOption('dark');
  await seen.page.waitForSelector('html[data-scheme="dark"]');
});

it('keeps a message while the pointer is on it', async () => {
  await seen.page.clock.install();
  await openAsAdmin('/account');
  await field('Display name').fill('Read slowly');
  await seen.page.getByRole('button', { name: 'Save', exact: true }).first().click();
  const message = seen.page.getByRole('alert').filter({ hasText: 'Saved' });
  await message.hover();
  await seen.page.clock.fastForward('01:00');
  expect(await message.count()).toBe(1);
  await seen.page.mouse.move(0, 0);
  await seen.page.clock.fastForward('01:00');
  await message.waitFor({ state: 'detached' });
});

it('keeps a dialog open when a drag ends beside it', async () => {
  await openAsAdmin('/account/security');
  await seen.page.getByRole('button', { name: 'Delete the account', exact: true }).click();
  await dialog().getByRole('heading').hover();
  await seen.page.mouse.down();
  await seen.page.mouse.move(5, 5);
  await seen.page.mouse.up();
  expect(await dialog().count()).toBe(1);
  await seen.page.mouse.click(5, 5);
  await dialog().waitFor({ state: 'detached' });
});

it('shows a short username in one line on a phone', async () => {
  await seen.page.setViewportSize({ width: 390, height: 800 });
  await served.service.register('looked_after');
  await openAs(seen.page, served.address, 'looked_after', PASSWORD);
  await seen.page.waitForSelector('.person strong');
  expect(await seen.page.evaluate(`document.querySelector('.person strong').getClientRects().length`)).toBe(1);
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
  await seen.page.getByRole('button', { name: 'Upload an image', exact: true }).click();
  await (await chooser).setFiles({ name: 'face.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') });
  await seen.page.getByText('Saved', { exact: true }).waitFor();
  const shown = await seen.page.locator('.person img').getAttribute('src');
  expect(shown).toMatch(/^\/api\//);
  const again = seen.page.waitForEvent('filechooser');
  await seen.page.getByRole('button', { name: 'Upload an image', exact: true }).click();
  await (await again).setFiles({ name: 'notes.txt', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await seen.page.getByRole('alert').getByText('This file cannot be shown as an image.').waitFor();
});
