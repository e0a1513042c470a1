import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { TestService } from '../support/test-service';
import { openBrowser } from './browser';

interface AxeResult {
  readonly violations: { id: string; nodes: { html: string }[] }[];
}

/** What the browser complained about while the page was used: console errors and refusals by the content policy. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}

/** WCAG 2.2 A and AA; evaluated apart from the page's own scripts, so the content policy need not be loosened. */
async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  const { violations } = await page.evaluate<AxeResult>(`axe.run(document, { runOnly: ${JSON.stringify(tags)} })`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

describe('the pages that lead into the service', () => {
  let service: TestService;
  let address: string;

  beforeAll(async () => {
    service = await TestService.start();
    await service.app.listen(0, '127.0.0.1');
    address = await service.app.getUrl();
  });

  afterAll(() => service.stop());

  describe.each([390, 1280])('at %d px', (width) => {
    it.each([
      { locale: 'en-GB', colorScheme: 'light', says: 'API documentation' },
      { locale: 'zh-CN', colorScheme: 'dark', says: 'API 文档' },
    ] as const)(
      'the first page speaks $locale and is readable in $colorScheme',
      async ({ locale, colorScheme, says }) => {
        const browser = await openBrowser(width, { locale, colorScheme });
        try {
          const page = await browser.context.newPage();
          const complaints = complaintsOf(page);
          await page.goto(address);
          expect(await page.textContent('main')).toContain(says);
          expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
          expect(await accessibilityFaults(page)).toEqual([]);
          expect(complaints).toEqual([]);
        } finally {
          await browser.close();
        }
      },
    );

    it('the documentation of the API loads under its content policy', async () => {
      const browser = await openBrowser(width);
      try {
        const page = await browser.context.newPage();
        const complaints = complaintsOf(page);
        await page.goto(`${address}/api/docs`);
        await page.waitForSelector('text=Make an account');
        expect(complaints).toEqual([]);
      } finally {
        await browser.close();
      }
    });
  });
});
