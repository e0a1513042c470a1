import { existsSync } from 'node:fs';
import { Browser, BrowserContext, chromium } from 'playwright-core';

/** Debian's packages. The headless shell takes half of Chromium's processor time. `CHROMIUM` overrides both. */
const OF_DEBIAN = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;
const executablePath = process.env['CHROMIUM'] ?? OF_DEBIAN.find((path) => existsSync(path)) ?? OF_DEBIAN[0];

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

/** Launches a browser. Its contexts share nothing with each other. */
export async function launchBrowser(): Promise<Browser> {
  if (!existsSync(executablePath)) {
    throw new Error(`No browser at ${executablePath}: install chromium-headless-shell or set CHROMIUM`);
  }
  return chromium.launch({ executablePath, headless: true, args: QUIET });
}

/** Opens a context without cookies or storage. */
export const openContext = (browser: Browser, width: number, options: BrowserOptions = {}): Promise<BrowserContext> =>
  browser.newContext({
    viewport: { width, height: 900 },
    // A click fails if its element moves between press and release.
    reducedMotion: 'reduce',
    ...options,
  });
