import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BrowserContext, chromium } from 'playwright-core';

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

export interface Viewer {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** A browser with a profile of its own. */
export async function openBrowser(
  width: number,
  options: { locale?: string; colorScheme?: 'light' | 'dark'; bypassCSP?: boolean } = {},
): Promise<Viewer> {
  if (!existsSync(executablePath)) throw new Error(`No browser at ${executablePath}: install Chromium or set CHROMIUM`);
  const profile = await mkdtemp(join(tmpdir(), 'castellan-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: QUIET,
    viewport: { width, height: 900 },
    // What still moves between the press of a click and its release is not clicked.
    reducedMotion: 'reduce',
    ...options,
  });
  return {
    context,
    close: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
