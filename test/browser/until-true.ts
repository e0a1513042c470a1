import type { Frame, Page } from 'playwright-core';

import { eventually } from '../support/service/eventually';

/**
 * Waits until the page finds this JavaScript expression true. Playwright's `waitForFunction` polls inside the page,
 * where the content security policy refuses to evaluate a string after the first time.
 */
export async function untilTrue(page: Page | Frame, expression: string): Promise<void> {
  await eventually(
    () => page.evaluate<boolean>(`Boolean(${expression})`),
    (found) => found,
  );
}
