import { existsSync } from 'node:fs';
import { Browser, BrowserContext, chromium } from 'playwright-core';

/** Debian's place; `CHROMIUM` names another. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface BrowserOptions {
  readonly locale?: string;
  readonly colorScheme?: 'light' | 'dark';
  readonly bypassCSP?: boolean;
}

export interface Viewer {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** A browser whose viewers know nothing of each other. */
export async function launchBrowser(): Promise<Browser> {
  if (!existsSync(executablePath)) throw new Error(`No browser at ${executablePath}: install Chromium or set CHROMIUM`);
  return chromium.launch({ executablePath, headless: true, args: QUIET });
}

/** Somebody who was never there before. */
export const openContext = (browser: Browser, width: number, options: BrowserOptions = {}): Promise<BrowserContext> =>
  browser.newContext({
    viewport: { width, height: 900 },
    // What still moves between the press of a click and its release is not clicked.
    reducedMotion: 'reduce',
    ...options,
  });

/** A browser of one viewer's own. */
export async function openBrowser(width: number, options?: BrowserOptions): Promise<Viewer> {
  const browser = await launchBrowser();
  const context = await openContext(browser, width, options);
  return { context, close: () => browser.close() };
}
