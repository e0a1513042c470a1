import { actAsEnabled } from '../../src/session';
import { ADMIN } from '../support/service/test-service';
import { expectGoodLooks } from './every-page';
import { logIn } from './people';
import { pageForAll, serveForAll } from './stage';
import { complaintsOf, isSettled } from './watch';

const served = serveForAll();
const seen = pageForAll(1280);
let complaints: string[];

beforeAll(async () => {
  complaints = complaintsOf(seen.page);
  await logIn(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/users');
});

afterEach(() => {
  expect(complaints).toEqual([]);
});

const button = (name: string) => seen.page.getByRole('button', { name, exact: true });
const banner = () => seen.page.getByRole('region', { name: 'Acting as another user' });

async function pageOf(username: string): Promise<string> {
  await served.service.register(username);
  const sql = 'SELECT id FROM user_account WHERE username = $1';
  const [row] = await served.service.query<{ id: string }>(sql, [username]);
  return `${served.address}/admin/users/${row!.id}`;
}

async function begin(address: string): Promise<void> {
  await seen.page.goto(address);
  await button('Act as this user').click();
  const dialog = seen.page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Ticket 4711');
  await expectGoodLooks(seen.page);
  await dialog.getByRole('button', { name: 'Act as this user', exact: true }).click();
  await banner().waitFor();
}

it('offers nothing while the setting is off', async () => {
  await seen.page.goto(await pageOf('left_alone'));
  await button('Delete user').waitFor();
  await isSettled(seen.page);
  expect(await button('Act as this user').count()).toBe(0);
});

it('shows the pages of the user under a banner with both names, and leads back', async () => {
  await served.service.set(actAsEnabled, true);
  const address = await pageOf('looked_after');
  await begin(address);
  expect(seen.page.url()).toBe(`${served.address}/account`);
  for (const name of [ADMIN.username, 'looked_after']) expect(await banner().textContent()).toContain(name);
  await isSettled(seen.page);
  await expectGoodLooks(seen.page);
  await seen.page.goto(`${served.address}/account/sessions`);
  await seen.page.getByText(`${ADMIN.username} acts as you`).waitFor();
  await expectGoodLooks(seen.page);
  await seen.page.goto(`${served.address}/error`);
  await banner().waitFor();
  await expectGoodLooks(seen.page);
  await seen.page.goto(`${served.address}/account`);
  await button('Stop acting').click();
  await seen.page.waitForURL(address);
  await button('Delete user').waitFor();
  expect(await banner().count()).toBe(0);
});

it('goes on as the administrator after the acting session has ended by itself', async () => {
  const address = await pageOf('soon_over');
  await begin(address);
  const admin = await served.service.admin();
  await admin.delete(`${new URL(address).pathname.replace('/admin/users', '/api/user')}/sessions`);
  const led = seen.page.waitForResponse((response) => response.url().includes('/api/auth/act-as'));
  await seen.page.reload();
  // By way of the login page, which knows that there is a session to go back to.
  expect((await led).status()).toBe(200);
  await seen.page.waitForURL(`${served.address}/account`);
  await seen.page.locator('.account-button img').waitFor();
  expect(await banner().count()).toBe(0);
  // The browser reports the responses with status 401.
  complaints.length = 0;
});
