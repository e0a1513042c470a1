import { chromium } from 'playwright-core';
import { median } from '../lib/statistics.mjs';
import { ADMIN } from '../targets.mjs';
import { logIn } from './sessions.mjs';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };
const CPU_SLOWDOWN = 4;
/** Lighthouse's slow 4G. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };

/** Runs in the page. Keeps the time of the largest contentful paint. */
function watchPaint() {
  globalThis.paintedMs = 0;
  new globalThis.PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) globalThis.paintedMs = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
}

/** Runs in the page. Returns what was transferred, headers included. */
function loaded() {
  const entries = [
    ...globalThis.performance.getEntriesByType('navigation'),
    ...globalThis.performance.getEntriesByType('resource'),
  ];
  const files = entries.filter(({ name }) => !new globalThis.URL(name).pathname.startsWith('/api/'));
  return {
    paintedMs: globalThis.paintedMs,
    kilobytes: files.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1_000,
    requests: entries.length,
  };
}

async function visit(browser, target, { path, cookies }) {
  const context = await browser.newContext(PHONE);
  try {
    if (cookies) await context.addCookies(cookies);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.addInitScript(watchPaint);
    await page.goto(target.url + path);
    await page.locator('h1').waitFor();
    await page.waitForLoadState('networkidle');
    return await page.evaluate(loaded);
  } finally {
    await context.close();
  }
}

/** First visits of pages with an empty cache, on a slow phone. Undefined figures if there is no browser. */
export async function firstVisits(target, { visits }) {
  const jar = await logIn(target, ADMIN);
  const cookies = [...jar].map(([name, value]) => ({ name, value, url: target.url }));
  const pages = [
    { name: 'sign-in page', path: '/login', most: { kilobytes: 55, paintedMs: 1_000 } },
    { name: 'first page of the console', path: '/admin', cookies, most: { kilobytes: 180, paintedMs: 2_000 } },
    { name: 'account page', path: '/account', cookies },
  ];
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
  try {
    const found = [];
    for (const page of pages) {
      const seen = [];
      for (let count = 0; count < visits; count++) seen.push(await visit(browser, target, page));
      const middle = (pick) => median(seen.map(pick));
      found.push({
        name: page.name,
        most: page.most,
        kilobytes: middle(({ kilobytes }) => kilobytes),
        paintedMs: middle(({ paintedMs }) => paintedMs),
        requests: middle(({ requests }) => requests),
      });
    }
    return found;
  } finally {
    await browser.close();
  }
}
