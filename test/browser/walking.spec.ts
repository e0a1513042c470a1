import { eventually } from '../support/service/eventually';
import { ADMIN } from '../support/service/test-service';
import { openAs } from './people';
import { pageForEach, serveForAll } from './stage';

const served = serveForAll();
const seen = pageForEach(1280);

const open = async (width: number, path: string): Promise<void> => {
  await seen.page.setViewportSize({ width, height: 900 });
  await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, path);
  await seen.page.waitForSelector('h1');
};
const focused = (): Promise<string> => seen.page.evaluate<string>('document.activeElement.textContent.trim()');

it('makes the menu on a phone focusable only while it is open and closes it on Escape', async () => {
  await open(390, '/account');
  const menu = seen.page.getByRole('button', { name: 'Menu' });
  const devices = seen.page.getByRole('link', { name: 'Devices' });
  expect(await devices.count()).toBe(0);
  await menu.click();
  await devices.waitFor();
  await seen.page.keyboard.press('Escape');
  await devices.waitFor({ state: 'hidden' });
  expect(await seen.page.evaluate('document.activeElement.ariaLabel')).toBe('Menu');
});

it('scrolls a new page to the top and focuses its heading', async () => {
  await open(1280, '/admin/doctor');
  await seen.page.waitForSelector('text=URLs to register elsewhere');
  await seen.page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await seen.page.getByRole('link', { name: 'Settings' }).click();
  await seen.page.waitForSelector('h1:text-is("Settings")');
  expect(await focused()).toBe('Settings');
  expect(await seen.page.evaluate('scrollY')).toBe(0);
  expect(await seen.page.title()).toMatch(/^Settings · /);
});

it('skips the menu with the skip link', async () => {
  await open(1280, '/account');
  await seen.page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to the content');
  await seen.page.keyboard.press('Enter');
  expect(await seen.page.evaluate('document.activeElement.localName')).toBe('main');
});

it('shows an error and the age of the data after a failed reload', async () => {
  await open(1280, '/admin/doctor');
  await seen.page.route('**/api/doctor*', (route) => route.abort());
  await seen.page.getByRole('button', { name: 'Check again' }).click();
  await seen.page.getByRole('alert').getByText('Results of').waitFor();
});

it('offers Show more again if the next page of a list fails', async () => {
  await open(1280, '/admin');
  const first = (await (await served.service.admin()).get<{ items: object[] }>('/api/audit')).body;
  await seen.page.route('**/api/audit?*', (route) =>
    route.request().url().includes('cursor=abc')
      ? route.abort()
      : route.fulfill({ json: { ...first, next_cursor: 'abc' } }),
  );
  await seen.page.getByRole('link', { name: 'Audit log' }).click();
  await seen.page.getByRole('button', { name: 'Show more' }).click();
  await seen.page.getByRole('alert').getByText('The service cannot be reached').waitFor();
  expect(await seen.page.getByRole('button', { name: 'Show more' }).isEnabled()).toBe(true);
});

describe('invalid fields', () => {
  const INVALID = '[aria-invalid="true"]';
  const isReached = (): Promise<boolean> => seen.page.evaluate<boolean>(`document.activeElement.matches('${INVALID}')`);

  it('get focus on the login pages', async () => {
    await seen.page.goto(`${served.address}/register`);
    await seen.page.fill('input[autocomplete="username"]', 'a b');
    await seen.page.getByRole('button', { name: 'Create account', exact: true }).press('Enter');
    await seen.page.waitForSelector(INVALID);
    expect(await isReached()).toBe(true);
  });

  it('get focus in the console', async () => {
    await open(390, '/admin/users/new');
    await seen.page.getByLabel('Username').fill('a b');
    await seen.page.locator('main button[type="submit"]').press('Enter');
    await seen.page.waitForSelector(INVALID);
    expect(await isReached()).toBe(true);
  });

  it('are not hidden behind the header', async () => {
    await open(390, '/admin/clients/new');
    await seen.page.locator('main button[type="submit"]').press('Enter');
    const top = await seen.page.evaluate<number>('document.activeElement.getBoundingClientRect().top');
    const head = await seen.page.evaluate<number>(`document.querySelector('header').getBoundingClientRect().bottom`);
    expect(await seen.page.evaluate('document.activeElement.required')).toBe(true);
    expect(top).toBeGreaterThan(head);
  });
});

it('shows a progress bar while a page loads', async () => {
  await open(390, '/account');
  let isHeld = true;
  await seen.page.route('**/assets/sessions-page*.js', async (route) => {
    await eventually(
      async () => isHeld,
      (held) => !held,
    );
    await route.continue();
  });
  await seen.page.getByRole('button', { name: 'Menu' }).click();
  await seen.page.getByRole('link', { name: 'Devices' }).click();
  const onItsWay = seen.page.getByRole('progressbar', { name: 'Loading' });
  await onItsWay.waitFor();
  isHeld = false;
  await seen.page.waitForSelector('h1:text-is("Devices")');
  await onItsWay.waitFor({ state: 'detached' });
});
