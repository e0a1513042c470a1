import type { Locator, Page } from 'playwright-core';
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

/** Logs in by the request that the login page sends, and opens a page: for tests of other pages. */
export async function openAs(
  page: Page,
  address: string,
  username: string,
  password: string,
  path = '/account',
): Promise<void> {
  const data = { type: 'password', username, password };
  const answer = await page.request.post(`${address}/api/auth/login`, { data });
  if (!answer.ok()) throw new Error(`Could not log in ${username}: ${await answer.text()}`);
  await page.goto(address + path);
}

/** Input of a setting, in the settings or in the setup. */
export const settingField = (page: Page, key: string): Locator => page.locator(`[name="${key}"]`);

/** Opens the menu behind the picture of the user. */
export const openAccountMenu = (page: Page): Promise<void> =>
  page.click('header .account-button[aria-expanded="false"]');

/** Chooses the language of the console, and closes the menu again. */
export async function chooseLanguage(page: Page, language: 'en' | 'zh'): Promise<void> {
  await openAccountMenu(page);
  const select = page.locator('header select').first();
  await select.selectOption(language);
  await page.locator(`html[lang="${language}"]`).waitFor();
  await select.press('Escape');
  // The menu gives the focus back as it closes, also while a test types.
  await select.waitFor({ state: 'detached' });
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
