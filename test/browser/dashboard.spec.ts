import type { Page } from 'playwright-core';
import { ADMIN, PASSWORD } from '../support/service/test-service';
import { expectGoodLooks } from './every-page';
import { pageForEach, serveForAll } from './stage';
import { openAccountMenu } from './people';
import { accessibilityFaults, complaintsOf, isSettled } from './watch';

const served = serveForAll();

async function logIn(page: Page, username: string, password: string, path = '/login'): Promise<void> {
  await page.goto(served.address + path);
  await page.fill('input[autocomplete^="username"]', username);
  await page.fill('input[autocomplete="current-password"]', password);
  await page.click('button[type="submit"]');
  await page.waitForURL((url) => url.pathname !== '/login');
}

describe('administration', () => {
  const seen = pageForEach(1280);

  it('counts logins in a chart and shows the same numbers in a table', async () => {
    const complaints = complaintsOf(seen.page);
    await served.service.client().post('/api/auth/login', { type: 'password', username: 'admin', password: 'wrong' });
    await logIn(seen.page, ADMIN.username, ADMIN.password, '/login?redirect=/admin');
    await seen.page.waitForSelector('.chart svg');
    await seen.page.getByRole('button', { name: 'Show as table: Logins' }).click();
    const today = seen.page.getByRole('region', { name: 'Logins' }).locator('tbody tr').first().locator('td');
    expect((await today.allTextContents()).slice(1)).toEqual(['1', '1']);
    await seen.page.getByRole('button', { name: 'Show as table: Logins' }).click();
    await isSettled(seen.page);
    await expectGoodLooks(seen.page);
    expect(complaints).toEqual([]);
  });

  it('leads from its numbers to the lists behind them', async () => {
    await served.service.client().post('/api/auth/login', { type: 'password', username: 'admin', password: 'wrong' });
    await logIn(seen.page, ADMIN.username, ADMIN.password, '/login?redirect=/admin?range=day');
    const card = (name: string) => seen.page.getByRole('listitem').filter({ hasText: name });
    expect(await card('Users with two-step verification').locator('.figure').textContent()).toEqual(
      expect.stringMatching(/^0 0%/),
    );
    await seen.page.getByRole('link', { name: 'Users with two-step verification' }).click();
    await seen.page.getByText('No user matches.').waitFor();
    const factor = seen.page.getByLabel('Two-step verification');
    expect(await factor.inputValue()).toBe('true');
    await factor.selectOption('Not set up');
    await seen.page.getByRole('row').filter({ hasText: ADMIN.username }).waitFor();
    await seen.page.goBack();
    await seen.page.getByRole('link', { name: 'Failed logins' }).click();
    await seen.page.waitForURL(/\/admin\/audit\?action=login&outcome=failure&from=/);
    await seen.page.locator('tbody tr').first().waitFor();
    await seen.page.goBack();
    const failing = seen.page.getByRole('region', { name: 'Accounts with the most failed logins' });
    await failing.getByRole('link', { name: 'admin' }).click();
    await seen.page.waitForURL(/target_type=user&target_id=/);
    await seen.page.locator('tbody tr').first().waitFor();
  });

  it('explains why a user lacks a permission and which grant is missing', async () => {
    await served.service.register('asked_about');
    await logIn(seen.page, ADMIN.username, ADMIN.password, '/login?redirect=/admin/permissions');
    const why = seen.page.locator('form:has-text("Check a permission")');
    await why.getByLabel('Username').fill('asked_about');
    await why.getByLabel('Permission').fill('role:update');
    await why.getByRole('button', { name: 'Check' }).click();
    await seen.page.waitForSelector('text=asked_about may not use iam:role:update');
    expect(await why.getByRole('status').textContent()).toContain('iam:role:update at level 3 · update');
    await why.getByLabel('Username').fill(ADMIN.username);
    await why.getByRole('button', { name: 'Check' }).click();
    await seen.page.waitForSelector('text=Through the role admin');
    expect(await accessibilityFaults(seen.page)).toEqual([]);
  });

  it('adds a permission of another service to the catalogue and removes it', async () => {
    await logIn(seen.page, ADMIN.username, ADMIN.password, '/login?redirect=/admin/permissions');
    await seen.page.getByLabel('Scope of the service').fill('crm');
    await seen.page.getByLabel('Permission, as resource:action').fill('report:publish');
    await seen.page.getByRole('button', { name: 'Add', exact: true }).click();
    await seen.page.getByRole('button', { name: 'Remove crm:report:publish from the catalogue' }).click();
    await seen.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await seen.page.waitForSelector('h2:has-text("Permissions of crm")', { state: 'detached' });
  });

  it('opens the setup after a login until it is dismissed', async () => {
    await logIn(seen.page, ADMIN.username, ADMIN.password);
    await seen.page.waitForURL(`${served.address}/admin/setup`);
    await seen.page.getByLabel('Service name').fill('House of Keys');
    await seen.page.locator('li:has-text("Name the service")').getByRole('button', { name: 'Save' }).click();
    await seen.page.waitForSelector('li:has-text("Name the service") >> text="Done"');
    expect(await accessibilityFaults(seen.page)).toEqual([]);
    await seen.page.getByRole('button', { name: 'Finish later' }).click();
    await seen.page.waitForURL(`${served.address}/admin`);
    await openAccountMenu(seen.page);
    await seen.page.click('text="Log out"');
    await seen.page.waitForURL(`${served.address}/login`);
    await logIn(seen.page, ADMIN.username, ADMIN.password);
    await seen.page.waitForURL(`${served.address}/account`);
  });

  it('redirects a user without permissions to the account and hides the dashboard', async () => {
    await served.service.register('no_rights');
    await logIn(seen.page, 'no_rights', PASSWORD);
    await seen.page.waitForURL(`${served.address}/account`);
    await seen.page.goto(`${served.address}/admin`);
    await seen.page.waitForSelector('text=This page is not available');
  });
});
