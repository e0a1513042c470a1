import type { TestClient } from '../support/service/test-client';
import { ADMIN, PASSWORD } from '../support/service/test-service';
import { comeBack, dialogOf, endOthers, fieldOf, logInBeside } from './ended-login';
import { openAs } from './people';
import { pageForEach, serveForAll } from './stage';
import { accessibilityFaults, fitsWidth, isSettled } from './watch';

const served = serveForAll();
const seen = pageForEach(1280);
let admin: TestClient;

beforeAll(async () => {
  admin = await served.service.admin();
});

const field = (label: string) => fieldOf(seen, label);
const dialog = (name?: string) => dialogOf(seen, name);
/** Save button of a field's form. All settings share one button. */
const save = (label: string, { includeHidden = false } = {}) =>
  seen.page
    .locator('form', { has: field(label) })
    .or(seen.page.locator('.in-sight'))
    .getByRole('button', { name: 'Save', exact: true, includeHidden });

async function make(path: string, body: object): Promise<string> {
  return (await admin.post<{ id: string }>(path, body)).body.id;
}

describe('session that ends during input', () => {
  it.each([
    {
      what: 'a role',
      at: async () => `/admin/roles/${await make('/api/role', { name: 'kept' })}`,
      label: 'Description',
    },
    {
      what: 'a user',
      at: async () => `/admin/users/${await make('/api/user', { username: 'kept' })}`,
      label: 'Display name',
    },
    { what: 'a setting', at: async () => '/admin/settings', label: 'Service name' },
    { what: 'a template', at: async () => '/admin/templates/email.bind.en', label: 'Subject' },
    { what: 'the own profile', at: async () => '/account', label: 'Display name' },
  ])('keeps the input, which can be saved after a new login: $what', async ({ at, label }) => {
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, await at());
    if (label === 'Service name') await seen.page.click('text="Service and branding"');
    await field(label).fill('Kept as it was');
    await endOthers(admin, seen);
    // Dispatch the event: once the page has noticed the ended session, it covers the button.
    await save(label, { includeHidden: true }).dispatchEvent('click');
    await dialog().waitFor();
    await logInBeside(seen, dialog(), ADMIN.username, ADMIN.password);
    await dialog().waitFor({ state: 'detached' });
    expect(await field(label).inputValue()).toBe('Kept as it was');
    await save(label).click();
    await seen.page.waitForSelector('text="Saved"');
  });

  it('keeps a role that was selected for a user', async () => {
    const role = await make('/api/role', { name: 'chosen' });
    const at = `/admin/users/${await make('/api/user', { username: 'given_a_role' })}?tab=access`;
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, at);
    await field('Add role').selectOption(role);
    await endOthers(admin, seen);
    await comeBack(seen.page);
    await logInBeside(seen, dialog(), ADMIN.username, ADMIN.password);
    await dialog().waitFor({ state: 'detached' });
    expect(await field('Add role').inputValue()).toBe(role);
  });

  it('shows an accessible dialog as soon as the window has focus again', async () => {
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/users/new');
    await field('Display name').fill('Half filled');
    await endOthers(admin, seen);
    await comeBack(seen.page);
    await dialog().waitFor();
    for (const width of [1280, 390]) {
      await seen.page.setViewportSize({ width, height: 900 });
      await isSettled(seen.page);
      expect(await accessibilityFaults(seen.page)).toEqual([]);
      expect(await fitsWidth(seen.page)).toBe(true);
    }
    expect(await dialog().locator('a:focus').textContent()).toBe('Log in again');
    await seen.page.keyboard.press('Escape');
    await seen.page.keyboard.press('Escape');
    await dialog().getByRole('link', { name: 'Leave without saving' }).click();
    await seen.page.waitForURL(`${served.address}/login?redirect=%2Fadmin%2Fusers%2Fnew&ended=`);
  });

  it('shows a dialog that nothing closes on the account pages', async () => {
    const client = await served.service.signUp('stays_asked');
    await openAs(seen.page, served.address, 'stays_asked', PASSWORD);
    await field('Display name').fill('Half filled');
    await endOthers(client, seen);
    await comeBack(seen.page);
    await dialog().waitFor();
    // The browser closes a dialog so without asking, after a second step back on a phone.
    await seen.page.evaluate(`document.querySelector('dialog').close()`);
    await dialog().waitFor();
    const asked: string[] = [];
    seen.page.on('dialog', (question) => {
      asked.push(question.type());
      void question.accept();
    });
    await dialog().getByRole('link', { name: 'Leave without saving' }).click();
    await seen.page.waitForURL(`${served.address}/login?redirect=%2Faccount&ended=`);
    expect(asked).toEqual([]);
  });

  it('removes the input if another user logs in', async () => {
    const [before, after] = ['typed_and_left', 'came_after'] as const;
    const client = await served.service.signUp(before);
    await served.service.register(after);
    await openAs(seen.page, served.address, before, PASSWORD);
    await field('Display name').fill('Left behind');
    await endOthers(client, seen);
    await comeBack(seen.page);
    await dialog().waitFor();
    await logInBeside(seen, dialog(), after, PASSWORD);
    await seen.page.waitForSelector(`text=${after}`);
    expect(await field('Display name').inputValue()).toBe('');
    expect(await dialog().count()).toBe(0);
  });
});

it.each([
  {
    what: 'the own profile',
    at: () => Promise.resolve('/account'),
    label: 'Display name',
    calls: '**/api/auth/me?*',
    who: { username: 'proves_beside', password: PASSWORD },
  },
  {
    what: 'a role',
    at: async () => `/admin/roles/${await make('/api/role', { name: 'kept_beside' })}`,
    label: 'Description',
    calls: '**/api/role/*',
    who: ADMIN,
  },
])('keeps the input if only a new login can reauthenticate the user: $what', async ({ at, label, calls, who }) => {
  const { username, password } = who;
  if (who !== ADMIN) await served.service.register(username);
  await seen.page.route('**/api/auth/me?*', async (route) => {
    const response = await route.fetch();
    const me = (await response.json()) as object;
    await route.fulfill({ response, json: { ...me, has_password: false, email_verified: false } });
  });
  await openAs(seen.page, served.address, username, password, await at());
  await field(label).fill('Kept as it was');
  await seen.page.route(calls, (route) =>
    route.request().method() === 'GET'
      ? route.fallback()
      : route.fulfill({
          status: 401,
          contentType: 'application/problem+json',
          body: JSON.stringify({ type: 'about:blank', title: 'x', status: 401, code: 'reauthentication_required' }),
        }),
  );
  await save(label).click();
  await logInBeside(seen, dialog('Confirm it is you'), username, password);
  // Wait for running handlers: removing a route during its response makes its handler throw.
  await seen.page.unrouteAll({ behavior: 'wait' });
  await seen.page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
  await save(label).click();
  await seen.page.waitForSelector('text="Saved"');
  expect(await field(label).inputValue()).toBe('Kept as it was');
});

describe('session that ends without unsaved input', () => {
  const profile = '/login?redirect=%2Faccount&ended=';

  it.each([
    {
      what: 'nothing was typed',
      act: async () => {
        await seen.page.waitForSelector('h1');
      },
    },
    {
      what: 'all edits are saved',
      act: async () => {
        await field('Display name').fill('Saved already');
        await save('Display name').click();
        await seen.page.waitForSelector('text="Saved"');
      },
    },
    {
      what: 'the edit was cancelled',
      act: async () => {
        const change = seen.page.getByRole('button', { name: 'Change', exact: true }).first();
        await change.click();
        await field('E-mail address').fill('given@up.example');
        await seen.page.getByRole('button', { name: 'Cancel', exact: true }).click();
      },
    },
  ])('redirects to the login if $what', async ({ what, act }) => {
    const username = `loses_nothing_${what.length}`;
    const client = await served.service.signUp(username);
    await openAs(seen.page, served.address, username, PASSWORD);
    await act();
    await endOthers(client, seen);
    await comeBack(seen.page);
    await seen.page.waitForURL(served.address + profile);
  });

  it('redirects to the login if the edits of a message were discarded', async () => {
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/templates/email.login.en');
    await field('Subject').fill('Never mind');
    await seen.page.getByRole('button', { name: 'Discard', exact: true }).click();
    await endOthers(admin, seen);
    await comeBack(seen.page);
    await seen.page.waitForURL(/\/login\?redirect=/);
  });
});
