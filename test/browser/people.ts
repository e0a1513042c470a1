import type { Page } from 'playwright-core';

/** Logs in on the page, with a password, and waits for where it leads. */
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
