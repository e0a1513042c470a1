import type { Locator, Page } from 'playwright-core';
import type { TestClient } from '../support/service/test-client';
import type { Seen } from './stage';

/** Ends all sessions of a user, the page's included, except the client's. */
export async function endOthers(client: TestClient, { page }: Seen): Promise<void> {
  // Wait for pending requests: a 401 would make the page redirect in the middle of a test step.
  await page.waitForLoadState('networkidle');
  expect((await client.delete('/api/auth/sessions')).status).toBe(200);
}

export const fieldOf = ({ page }: Seen, label: string): Locator => page.getByLabel(label, { exact: true });

/** Dialog that covers a page after its session has ended, or the dialog with the given name. */
export const dialogOf = ({ page }: Seen, name = 'Your session has ended'): Locator =>
  page.getByRole('dialog', { name });

/** Simulates a return to this window from another window beside it. */
export const comeBack = (page: Page): Promise<unknown> => page.evaluate(`window.dispatchEvent(new Event('focus'))`);

/** Follows the dialog's link to the login and logs in in the new tab, which closes afterwards. */
export async function logInBeside(
  { context, page }: Seen,
  dialog: Locator,
  username: string,
  password: string,
): Promise<void> {
  const opened = context.waitForEvent('page');
  await dialog.getByRole('link', { name: 'Log in again' }).click();
  const beside = await opened;
  const closed = beside.waitForEvent('close');
  await beside.fill('input[autocomplete^="username"]', username);
  await beside.fill('input[autocomplete="current-password"]', password);
  await beside.click('button[type="submit"]');
  await closed;
  await comeBack(page);
}
