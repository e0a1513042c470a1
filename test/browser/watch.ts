import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

interface AxeResult {
  readonly violations: { id: string; nodes: { html: string }[] }[];
}

const axeSource = readFile(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Collects console errors, page errors and content security policy violations. */
export function complaintsOf(page: Page, expected: RegExp = /(?!)/): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}

/**
 * Returns violations of WCAG 2.2 A and AA. axe runs outside of the page's own scripts, so the policy stays as it is.
 */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(await axeSource);
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  const options = { runOnly: tags, resultTypes: ['violations'] };
  const { violations } = await page.evaluate<AxeResult>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** Resolves after two frames without a running animation, because an animation appears one frame after its start. */
const STILL = `(async () => {
  const moving = () => document.getAnimations().filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity);
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let still = 0; still < 2; still += 1) {
    await frame();
    if (moving().length > 0) still = -1;
    await Promise.all(moving().map(({ finished }) => finished.catch(() => undefined)));
  }
})()`;

/** Waits until nothing is loading and no animation runs. */
export async function isSettled(page: Page): Promise<void> {
  await page.waitForSelector('.mantine-Loader-root, .waiting', { state: 'detached' });
  await page.evaluate(STILL);
}

/** Switches the colour scheme. Mantine applies it a moment later. */
export async function wear(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  const other = colorScheme === 'light' ? 'dark' : 'light';
  await page.waitForSelector(`html[data-mantine-color-scheme="${other}"]`, { state: 'detached' });
  await isSettled(page);
}

/** Returns whether the page does not scroll horizontally. */
export const fitsWidth = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= window.innerWidth');
