import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

interface AxeResult {
  readonly violations: { id: string; nodes: { html: string }[] }[];
}

const axeSource = readFile(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What the browser complained about while the page was used: console errors and refusals by the content policy. */
export function complaintsOf(page: Page, expected: RegExp = /(?!)/): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}

/** WCAG 2.2 A and AA; evaluated apart from the page's own scripts, so the content policy need not be loosened. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(await axeSource);
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  const options = { runOnly: tags, resultTypes: ['violations'] };
  const { violations } = await page.evaluate<AxeResult>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** A picture with nothing moving in it: two frames in a row, since what a frame begins is seen in the next. */
const STILL = `(async () => {
  const moving = () => document.getAnimations().filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity);
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let still = 0; still < 2; still += 1) {
    await frame();
    if (moving().length > 0) still = -1;
    await Promise.all(moving().map(({ finished }) => finished.catch(() => undefined)));
  }
})()`;

/** Waits until nothing loads, fades or slides any more. */
export async function isSettled(page: Page): Promise<void> {
  await page.waitForSelector('.mantine-Loader-root', { state: 'detached' });
  await page.evaluate(STILL);
}

/** Puts the page into a colour scheme. The console's own scripts follow the browser's a moment later. */
export async function wear(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  const other = colorScheme === 'light' ? 'dark' : 'light';
  await page.waitForSelector(`html[data-mantine-color-scheme="${other}"]`, { state: 'detached' });
  await isSettled(page);
}

/** Whether nothing sticks out at the side. */
export const fitsWidth = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= window.innerWidth');
