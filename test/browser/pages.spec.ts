import { TestService } from '../support/test-service';
import { openBrowser } from './browser';
import { accessibilityFaults, complaintsOf, fitsWidth } from './watch';

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
          expect(await fitsWidth(page)).toBe(true);
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
        await page.waitForSelector('text=Send a verification code');
        expect(complaints).toEqual([]);
      } finally {
        await browser.close();
      }
    });
  });
});
