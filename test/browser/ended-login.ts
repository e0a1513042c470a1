import type { Locator, Page } from 'playwright-core';
import type { TestClient } from '../support/test-client';
import type { Seen } from './stage';

/** Ends every login of somebody's but the one that asks, and so that of the page. */
export async function endOthers(client: TestClient, { page }: Seen): Promise<void> {
  // What the page asks for as it opens would be refused as well, and the page leave by itself in the middle of a step.
  await page.waitForLoadState('networkidle');
  expect((await client.delete('/api/auth/sessions')).status).toBe(200);
}

export const fieldOf = ({ page }: Seen, label: string): Locator => page.getByLabel(label, { exact: true });

/** What covers a page whose login ended, unless another dialog is named. */
export const dialogOf = ({ page }: Seen, name = 'Your session has ended'): Locator =>
  page.getByRole('dialog', { name });

/** As somebody comes back to a window that stood beside another. */
export const comeBack = (page: Page): Promise<unknown> => page.evaluate(`window.dispatchEvent(new Event('focus'))`);

/** Logs in where a dialog leads to for it, in a tab of its own, which closes by itself. */
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
