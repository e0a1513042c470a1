import { photograph } from './photographs';
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

      it.each(['/api/oauth/logout/success', '/api/oauth/authorize?client_id=unknown'])(
        'shows an accessible page of the protocol: %s',
        async (path) => {
          const complaints = complaintsOf(seen.page, /status of 40[01]/);
          await seen.page.goto(served.address + path);
          expect(await seen.page.textContent('header')).toBe('Castellan');
          await photograph(seen.page, width, colorScheme);
          expect(await fitsWidth(seen.page)).toBe(true);
          expect(await accessibilityFaults(seen.page)).toEqual([]);
          expect(complaints).toEqual([]);
        },
      );

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
