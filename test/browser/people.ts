import type { Page } from 'playwright-core';
import { accessibilityFaults, isSettled } from './watch';

/** Logs in on the page with a password and waits for the redirect. */
export async function logIn(
  page: Page,
  address: string,
  username: string,
  password: string,
  redirect = '/account',
): Promise<void> {
  await page.goto(`${address}/login?redirect=${encodeURIComponent(redirect)}`);
  await page.fill('input[autocomplete^="username"]', username);
  await page.fill('input[autocomplete="current-password"]', password);
  await page.click('button[type="submit"]');
  await page.waitForURL(`${address}${redirect}`);
}

/** Checks the accessibility of the dialog and confirms it. */
export async function agree(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await isSettled(page);
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}
