import { readFile } from 'node:fs/promises';
import { lockoutThreshold } from '../../src/auth/login/lockout.settings';
import { ADMIN, PASSWORD } from '../support/service/test-service';
import type { TestClient } from '../support/service/test-client';
import { agree, openAs } from './people';
import { photograph } from './photographs';
import { pageForAll, serveForAll } from './stage';
import { untilTrue } from './until-true';
import { accessibilityFaults, complaintsOf, fitsWidth, isSettled, wear } from './watch';

const served = serveForAll();
const seen = pageForAll(1280);
let admin: TestClient;
let complaints: string[];

beforeAll(async () => {
  complaints = complaintsOf(seen.page);
  admin = await served.service.admin();
  const editor = await admin.post<{ id: string }>('/api/role', { name: 'editor' });
  await admin.post('/api/group', { name: 'staff' });
  for (let number = 1; number <= 24; number += 1) {
    await admin.post('/api/user', {
      username: `person_${10 + number}`,
      nickname: number % 2 === 0 ? '张伟' : '',
      email: `person${number}@example.com`,
      email_verified: number % 3 === 0,
      phone: number === 24 ? '+8613800138024' : undefined,
      role_ids: number > 20 ? [editor.body.id] : [],
    });
  }
  await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/users');
});

const open = async (query = ''): Promise<void> => {
  await seen.page.goto(`${served.address}/admin/users${query}`);
  await seen.page.locator('tbody tr').first().waitFor();
  await isSettled(seen.page);
};
const button = (name: string) => seen.page.getByRole('button', { name, exact: true });
const box = (name: string) => seen.page.getByRole('checkbox', { name, exact: true });
const firstName = `document.querySelector('tbody td a')?.textContent`;
const statusOf = async (username: string): Promise<string | undefined> =>
  (await served.service.query<{ status: string }>('SELECT status FROM user_account WHERE username = $1', [username]))[0]
    ?.status;

/** Takes pictures and checks the page at both widths and in both colour schemes. */
async function looksGood(): Promise<void> {
  for (const width of [390, 1280]) {
    await seen.page.setViewportSize({ width, height: 900 });
    for (const scheme of ['light', 'dark'] as const) {
      await wear(seen.page, scheme);
      await photograph(seen.page, width, scheme);
      expect({ width, scheme, fits: await fitsWidth(seen.page), faults: await accessibilityFaults(seen.page) }).toEqual(
        {
          width,
          scheme,
          fits: true,
          faults: [],
        },
      );
    }
  }
}

it('shows the total, and what each user has', async () => {
  await open();
  await seen.page.getByText('25 users', { exact: true }).waitFor();
  const row = seen.page.locator('tbody tr', { hasText: 'person_34' });
  for (const text of ['person24@example.com', '+8613800138024', 'editor', '张伟', 'Active']) {
    await row.getByText(text).first().waitFor();
  }
  expect(await row.getByText('Not verified').count()).toBe(1);
});

it('keeps the order, the page and the filters in the address', async () => {
  await open();
  await seen.page.locator('th').getByRole('button', { name: 'Username' }).click();
  await untilTrue(seen.page, `${firstName} === 'admin'`);
  expect(new URL(seen.page.url()).search).toBe('?sort=username');
  await seen.page.locator('th[aria-sort="ascending"]').getByRole('button', { name: 'Username' }).click();
  await untilTrue(seen.page, `${firstName} === 'person_34'`);
  await button('Page 2').click();
  await untilTrue(seen.page, `${firstName} === 'person_14'`);
  await seen.page.reload();
  await untilTrue(seen.page, `${firstName} === 'person_14'`);
  expect(new URL(seen.page.url()).search).toBe('?sort=-username&page=2');
});

it('offers no other order for search results', async () => {
  await open('?keyword=person&sort=username');
  await untilTrue(seen.page, `${firstName} === 'person_34'`);
  expect(await seen.page.locator('th button').count()).toBe(0);
});

it('disables and enables selected users on several pages at once', async () => {
  await open('?sort=username');
  await box('Select person_11').check();
  await button('Page 2').click();
  await box('Select person_34').check();
  await seen.page.getByText('2 users selected').waitFor();
  await button('Disable').click();
  await seen.page.getByRole('dialog').getByText('person_11, person_34').waitFor();
  await agree(seen.page, 'Disable');
  await seen.page.getByText('2 users selected').waitFor({ state: 'detached' });
  expect([await statusOf('person_11'), await statusOf('person_34')]).toEqual(['disabled', 'disabled']);
  await open('?status=disabled');
  await box('Select all on this page').check();
  await button('Enable').click();
  await agree(seen.page, 'Enable');
  await seen.page.getByText('No user matches').waitFor();
  expect([await statusOf('person_11'), await statusOf('person_34')]).toEqual(['active', 'active']);
});

it('ends the selection when the filter changes', async () => {
  await open();
  await box('Select all on this page').check();
  await seen.page.getByText('20 users selected').waitFor();
  await seen.page.getByLabel('Status', { exact: true }).selectOption('active');
  await seen.page.getByText('20 users selected').waitFor({ state: 'detached' });
});

it('takes back the users of a page when no more can be selected', async () => {
  await served.service.query(
    `INSERT INTO user_account (id, username) SELECT gen_random_uuid(), 'crowd_' || number FROM generate_series(100, 199) AS number`,
  );
  const selected = (count: string): Promise<void> =>
    seen.page.getByText(`${count} selected`, { exact: true }).waitFor();
  const page = async (number: number, first: string): Promise<void> => {
    await button(`Page ${number}`).click();
    await untilTrue(seen.page, `${firstName} === '${first}'`);
  };
  await open('?sort=username');
  await box('Select crowd_100').check();
  for (const number of [2, 3, 4, 5]) {
    await page(number, `crowd_${79 + 20 * number}`);
    await box('Select all on this page').check();
    await selected(`${20 * number - 19} users`);
  }
  await page(6, 'crowd_199');
  await box('Select crowd_199').check();
  await page(1, 'admin');
  await box('Select all on this page').click();
  await selected('100 users');
  await box('Select all on this page').click();
  await selected('81 users');
  expect(await box('Select crowd_100').isChecked()).toBe(false);
  await served.service.query(`DELETE FROM user_account WHERE username LIKE 'crowd_%'`);
});

it('adds selected users to a role and to a group', async () => {
  await open('?keyword=person_1');
  await box('Select all on this page').check();
  await button('Add role').click();
  await seen.page.getByRole('region', { name: 'Selected' }).getByLabel('Role').selectOption({ label: 'iam · editor' });
  await button('Add').click();
  await seen.page.locator('tbody tr', { hasText: 'person_11' }).getByText('editor').waitFor();
  await box('Select person_12').check();
  await button('Add to a group').click();
  await seen.page.getByLabel('Name of the group').fill('nowhere');
  await button('Add').click();
  await seen.page.getByText('There is no group named nowhere.').waitFor();
  await seen.page.getByLabel('Name of the group').fill('Staff');
  await button('Add').click();
  await seen.page.getByText('1 user selected').waitFor({ state: 'detached' });
  const joined = await served.service.query<{ username: string }>(
    'SELECT username FROM user_account JOIN user_group_member ON user_id = id',
  );
  expect(joined).toEqual([{ username: 'person_12' }]);
});

it('removes selected users from a role and from a group', async () => {
  await open('?keyword=person_1');
  await box('Select all on this page').check();
  await button('Remove role').click();
  await seen.page.getByRole('region', { name: 'Selected' }).getByLabel('Role').selectOption({ label: 'iam · editor' });
  await button('Remove').click();
  await seen.page.getByRole('dialog').getByText('lose the role iam · editor').waitFor();
  await agree(seen.page, 'Remove');
  await seen.page.locator('tbody tr', { hasText: 'person_11' }).getByText('editor').waitFor({ state: 'detached' });
  await box('Select person_12').check();
  await button('Remove from a group').click();
  await seen.page.getByLabel('Name of the group').fill('Staff');
  await button('Remove').click();
  await agree(seen.page, 'Remove');
  await seen.page.getByText('1 user selected').waitFor({ state: 'detached' });
  expect(await served.service.query('SELECT 1 FROM user_group_member')).toEqual([]);
});

it('exports the selection and the filter', async () => {
  const saved = async (): Promise<string> => {
    const [download] = await Promise.all([seen.page.waitForEvent('download'), button('Export CSV').last().click()]);
    expect(download.suggestedFilename()).toBe('users.csv');
    return readFile(await download.path(), 'utf8');
  };
  await open('?keyword=person_2');
  expect((await saved()).trim().split('\r\n')).toHaveLength(11);
  await box('Select person_20').check();
  await seen.page.getByText('1 user selected').waitFor();
  expect((await saved()).trim().split('\r\n')).toHaveLength(2);
});

it('looks good with a selection', async () => {
  await open('?sort=-username');
  await box('Select all on this page').check();
  await button('Add role').click();
  await isSettled(seen.page);
  await looksGood();
  await seen.page.setViewportSize({ width: 390, height: 900 });
  await seen.page.getByLabel('Order').selectOption('username');
  await untilTrue(seen.page, `${firstName} === 'admin'`);
  await seen.page.setViewportSize({ width: 1280, height: 900 });
});

it('shows what a file would do, and imports it', async () => {
  await seen.page.goto(`${served.address}/admin/users`);
  await seen.page.getByRole('link', { name: 'Import', exact: true }).click();
  const choose = (csv: string, encoding: BufferEncoding = 'utf8'): Promise<void> =>
    seen.page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, encoding) });
  await choose('username,password\nnew_one,secret\n');
  await seen.page.getByText('The column password is unknown').waitFor();
  await choose('username,nickname\nnew_one,\xd5\xc5\xce\xb0\n', 'latin1');
  await seen.page.getByText('The file looks like GBK').waitFor();
  await choose('username\nnew_one\nNew_One\n');
  await seen.page.getByText('Line 3 repeats the username or e-mail address of line 2.').waitFor();
  await choose('username,email,email_verified\nnew_one,new@example.com,true\nperson_11,,\nnew.two,,\n');
  await seen.page.getByText('2 new accounts').waitFor();
  await seen.page.getByText('Not imported: another account has this username').waitFor();
  await choose(
    'username,email,email_verified,roles\nnew_one,new@example.com,true,editor nobody\nperson_11,,,\nnew.two,,,\n',
  );
  await seen.page.getByText('There is no role nobody.').waitFor();
  await seen.page.getByText('iam:editor: 1 new account').waitFor();
  expect(await statusOf('new_one')).toBeUndefined();
  await isSettled(seen.page);
  await looksGood();
  await button('Create 2 accounts').click();
  await seen.page.getByText('What the file did').waitFor();
  expect([await statusOf('new_one'), await statusOf('new_two')]).toEqual(['active', 'active']);
  await seen.page.getByRole('link', { name: 'Back to users' }).click();
  await seen.page.locator('td a').getByText('new_one').waitFor();
});

it('sends a new user a code, with which the user sets a password', async () => {
  await seen.page.goto(`${served.address}/admin/users/new`);
  await seen.page.getByLabel('Username').fill('invited');
  await seen.page.getByLabel('E-mail address').fill('invited@example.com');
  await box('Send a code, so that the user sets a password').check();
  await button('Create user').click();
  await seen.page.waitForSelector('h1:text-is("invited")');
  await seen.page.getByText('The code has been sent.').waitFor();
  const [delivery] = await served.service.query<{ purpose: string }>(
    'SELECT purpose FROM message_delivery ORDER BY at DESC LIMIT 1',
  );
  expect(delivery).toEqual({ purpose: 'reset_password' });
});

it('marks locked users in the list and filters by them', async () => {
  await served.service.register('is_locked', { password: PASSWORD });
  await served.service.set(lockoutThreshold, 2);
  const wrong = { type: 'password', username: 'is_locked', password: 'not the password' };
  for (let tries = 0; tries < 2; tries += 1) await served.service.client().post('/api/auth/login', wrong);
  await open('?keyword=is_locked');
  await seen.page.locator('tbody tr').getByText('Locked', { exact: true }).waitFor();
  await open();
  await seen.page.getByLabel('Status').selectOption('Locked');
  await untilTrue(seen.page, `${firstName} === 'is_locked' && document.querySelectorAll('tbody tr').length === 1`);
  await looksGood();
});

it('finds a disabled user in the audit log by a part of the name, and asks which of several is meant', async () => {
  for (const username of ['left_early', 'left_late']) await served.service.register(username, { password: PASSWORD });
  await served.service.query(`UPDATE user_account SET status = 'disabled' WHERE username LIKE 'left%'`);
  await seen.page.goto(`${served.address}/admin/audit?actor_id=eft_`);
  await seen.page.getByText('Several users match. Choose one:').waitFor();
  await looksGood();
  await button('left_late').click();
  await seen.page.getByRole('cell', { name: 'left_late' }).first().waitFor();
  expect(await seen.page.getByRole('cell', { name: 'left_early' }).count()).toBe(0);
  await seen.page.goto(`${served.address}/admin/audit?actor_id=left_ear`);
  await seen.page.getByRole('cell', { name: 'left_early' }).first().waitFor();
});

it('shows the second factors and linked accounts of a user', async () => {
  await served.service.register('has_factor', { password: PASSWORD });
  await served.service.query(
    `INSERT INTO mfa_totp (id, user_id, secret, confirmed_at)
     SELECT gen_random_uuid(), id, 'x', now() FROM user_account WHERE username = 'has_factor'`,
  );
  await open('?keyword=has_factor');
  await seen.page.locator('tbody tr').getByText('Set up', { exact: true }).waitFor();
  await seen.page.locator('td a').click();
  await seen.page.getByText('Authenticator app').waitFor();
  await seen.page.getByText('No third-party account is linked.').waitFor();
  await seen.page.waitForSelector('h1:text-is("has_factor")');
  await isSettled(seen.page);
  await looksGood();
});

it('reports no error on the way', () => {
  expect(complaints.filter((text) => !/status of 400/.test(text))).toEqual([]);
});
