import type { Page } from 'playwright-core';
import { eventually } from '../support/service/eventually';
import { ADMIN } from '../support/service/test-service';
import { fillWithDemoData } from './demo-data';
import { accountPaths, authPaths, consolePaths, lazyPages, offeredPaths, servedAuthPaths } from './page-list';
import { photograph } from './photographs';
import { pageForAll, serveForAll } from './stage';
import { accessibilityFaults, complaintsOf, fitsWidth, isSettled, wear } from './watch';

const HEIGHT = 900;

interface Look {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

/** Both widths and both colour schemes. Of pages in both languages, each language takes one of these pairs. */
const LIGHT_PHONE: readonly Look[] = [
  { width: 390, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
];
const DARK_PHONE: readonly Look[] = [
  { width: 390, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
];

/** Checks the page in both widths and both colour schemes: it fits the width and passes WCAG. */
export async function expectGoodLooks(page: Page, looks = LIGHT_PHONE): Promise<void> {
  // Pictures show every combination.
  const all = process.env['SCREENSHOTS'] === undefined ? looks : [...LIGHT_PHONE, ...DARK_PHONE];
  for (const { width, colorScheme } of all) {
    await page.setViewportSize({ width, height: HEIGHT });
    await wear(page, colorScheme);
    await photograph(page, width, colorScheme);
    const look = `${page.url()} at ${width}, ${colorScheme}`;
    expect({ look, fits: await fitsWidth(page), faults: await accessibilityFaults(page) }).toEqual({
      look,
      fits: true,
      faults: [],
    });
  }
}

/** The page with links to a path with parameters: the list, or the page that shows it. */
function listOf(path: string): string {
  const list = path.replace(/(?:\/:\w+)+$/, '');
  return list !== path && consolePaths().includes(list) ? list : list.replace(/(?:\/[^/:]+)+$/, '');
}

/** Addresses that a page links to below its own, by the path of the page. The demo data never changes. */
const linksBelow = new Map<string, readonly string[]>();

async function readLinksBelow(page: Page): Promise<readonly string[]> {
  const below = page.locator(`main a[href^="${new URL(page.url()).pathname}/"]`);
  return below.evaluateAll((all) =>
    all.map((link) => (link as unknown as { getAttribute(name: string): string }).getAttribute('href')),
  );
}

/** An address that fits a path with a parameter: of the first matching link in the parent list. */
async function addressOf(page: Page, address: string, path: string): Promise<string> {
  if (!path.includes('/:')) return path;
  const list = listOf(path);
  const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`);
  const fixed = consolePaths();
  const targetIn = (links: readonly string[] = []): string | undefined =>
    links.find((link) => pattern.test(link) && !fixed.includes(link));
  const known = targetIn(linksBelow.get(list));
  if (known !== undefined) return known;
  await goTo(page, address, list);
  // The parts of a page load one after the other. Demo data without such a link never shows one.
  const links = await eventually(
    () => readLinksBelow(page),
    (found) => targetIn(found) !== undefined,
  );
  linksBelow.set(list, links);
  return addressOf(page, address, path);
}

/** Opens a page of the account or of the console. */
async function goTo(page: Page, address: string, path: string): Promise<void> {
  await page.goto(address + (await addressOf(page, address, path)));
  await page.waitForSelector('h1');
  await isSettled(page);
}

/** Defines the tests of every page in one language, which English and Chinese share between them. */
export function describeEveryPage(locale: 'en-GB' | 'zh-CN'): void {
  const looks = locale === 'en-GB' ? LIGHT_PHONE : DARK_PHONE;
  const served = serveForAll();
  const seen = pageForAll(1280, { locale });
  let complaints: string[];

  beforeAll(async () => {
    complaints = complaintsOf(seen.page);
    await fillWithDemoData(served.address, seen.page.request, ADMIN);
  });

  beforeEach(() => {
    complaints.length = 0;
  });

  it('covers every page of the menu, of the router and of the service', () => {
    expect(offeredPaths().length).toBeGreaterThan(10);
    expect([...accountPaths(), ...consolePaths()]).toEqual(expect.arrayContaining(offeredPaths()));
    expect(consolePaths()).toHaveLength(lazyPages());
    expect(authPaths().sort()).toEqual(servedAuthPaths().sort());
  });

  it.each([...authPaths(), '/error?code=%3Cb%3E&utm=1'])('renders the login page %s', async (path) => {
    await seen.page.goto(served.address + path);
    // Without a pending link, the page leads on.
    if (path === '/bind') await seen.page.waitForURL(/\/error\?code=/);
    await seen.page.waitForSelector('h1');
    await expectGoodLooks(seen.page, looks);
    // Without a pending login these pages show an error.
    const refused = complaints.filter(
      (text) => !/\/(bind|consent|login.mfa)/.test(path) || !/status of 40[014]/.test(text),
    );
    expect(refused).toEqual([]);
  });

  it.each(accountPaths())('renders the account page %s', async (path) => {
    await goTo(seen.page, served.address, path);
    await expectGoodLooks(seen.page, looks);
    expect(complaints).toEqual([]);
  });

  it.each(consolePaths())('renders the console page %s', async (path) => {
    await goTo(seen.page, served.address, path);
    await expectGoodLooks(seen.page, looks);
    expect(complaints).toEqual([]);
  });

  it('renders the menu of the account on a phone', async () => {
    await seen.page.setViewportSize({ width: 390, height: HEIGHT });
    await goTo(seen.page, served.address, '/account');
    await seen.page.click('header button[aria-expanded="false"]');
    await seen.page.waitForSelector('header button[aria-expanded="true"]');
    for (const colorScheme of ['light', 'dark'] as const) {
      await wear(seen.page, colorScheme);
      await photograph(seen.page, 390, colorScheme);
      expect(await seen.page.locator('nav a[href="/admin"]').isVisible()).toBe(true);
      expect(await seen.page.locator('nav a:not(:has(svg))').count()).toBe(0);
      expect(await fitsWidth(seen.page)).toBe(true);
      expect(await accessibilityFaults(seen.page)).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });

  it('renders the menu of the console on a phone', async () => {
    await seen.page.setViewportSize({ width: 390, height: HEIGHT });
    await goTo(seen.page, served.address, '/admin/users');
    await seen.page.click('header button[aria-expanded="false"]');
    await seen.page.waitForSelector('header button[aria-expanded="true"]');
    for (const colorScheme of ['light', 'dark'] as const) {
      await wear(seen.page, colorScheme);
      expect(await seen.page.locator('nav a[href="/admin/users"]').isVisible()).toBe(true);
      expect(await seen.page.locator('nav[aria-label] .mantine-NavLink-root:not(:has(svg))').count()).toBe(0);
      expect(await fitsWidth(seen.page)).toBe(true);
      expect(await accessibilityFaults(seen.page)).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });
}
