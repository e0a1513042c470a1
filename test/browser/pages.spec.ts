import { pageForEach, serveForAll } from './stage';
import { accessibilityFaults, complaintsOf, fitsWidth } from './watch';

describe('start pages', () => {
  const served = serveForAll();

  describe.each([390, 1280])('at %d px', (width) => {
    describe.each([
      { locale: 'en-GB', colorScheme: 'light', says: 'API documentation' },
      { locale: 'zh-CN', colorScheme: 'dark', says: 'API 文档' },
    ] as const)('in $locale, $colorScheme', ({ locale, colorScheme, says }) => {
      const seen = pageForEach(width, { locale, colorScheme });

      it('shows an accessible home page in the language of the browser', async () => {
        const complaints = complaintsOf(seen.page);
        await seen.page.goto(served.address);
        expect(await seen.page.textContent('main')).toContain(says);
        expect(await fitsWidth(seen.page)).toBe(true);
        expect(await accessibilityFaults(seen.page)).toEqual([]);
        expect(complaints).toEqual([]);
      });
    });

    describe('API documentation', () => {
      const seen = pageForEach(width);

      it('loads under its content security policy', async () => {
        const complaints = complaintsOf(seen.page);
        await seen.page.goto(`${served.address}/api/docs`);
        // Swagger UI renders operations further down only after scrolling.
        await seen.page.waitForSelector('text="Create an account"');
        expect(complaints).toEqual([]);
      });
    });
  });
});
