import { basename } from 'node:path';
import type { Page } from 'playwright-core';

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const SPEC = /(?:\.(?:en|zh))?\.spec\.ts$/;

/** How often this file of tests has photographed each look of a page. */
const taken = new Map<string, number>();

/**
 * Saves a screenshot to a folder with the name of the spec, within the folder in `SCREENSHOTS`, if set:
 * `npm run screenshots`. Several states of a page are numbered.
 */
export async function photograph(page: Page, width: number, colorScheme: 'light' | 'dark'): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined) return;
  const { pathname } = new URL(page.url());
  const name = pathname.slice(1).replace(UUID, 'one').replaceAll('/', '-') || 'start';
  const language = await page.evaluate<string>('document.documentElement.lang');
  const look = `${language}.${width}.${colorScheme}`;
  const count = (taken.get(`${name}.${look}`) ?? 0) + 1;
  taken.set(`${name}.${look}`, count);
  const spec = basename(expect.getState().testPath ?? '').replace(SPEC, '');
  const file = count === 1 ? `${name}.${look}` : `${name}-${count}.${look}`;
  await page.screenshot({ path: `${folder}/${spec}/${file}.png`, fullPage: true });
}
