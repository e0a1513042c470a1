import type { Page } from 'playwright-core';

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Saves a screenshot to the folder in `SCREENSHOTS`, if set: `npm run screenshots`. */
export async function photograph(page: Page, width: number, colorScheme: 'light' | 'dark'): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined) return;
  const { pathname } = new URL(page.url());
  const name = pathname.slice(1).replace(UUID, 'one').replaceAll('/', '-') || 'start';
  const language = await page.evaluate<string>('document.documentElement.lang');
  await page.screenshot({ path: `${folder}/${name}.${language}.${width}.${colorScheme}.png`, fullPage: true });
}
