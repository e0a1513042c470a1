import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { closeGaps } from '../../../src/platform/page-checks';

export const languageNames = { en: 'English', zh: '中文' } as const;
export const languages = ['en', 'zh'] as const satisfies Language[];
export type Language = keyof typeof languageNames;

/** Chinese texts have no space beside a Chinese name. */
const spacing = {
  type: 'postProcessor' as const,
  name: 'spacing',
  process: (text: string, _key: string | string[], options: object) => closeGaps(text, Object.values(options)),
};

type LoadSection = (section: string, language: Language) => Promise<{ default: object }>;

/** The server sets `lang`. The user may have changed it since. */
export const pageLanguage = (): Language => (document.documentElement.lang === 'zh' ? 'zh' : 'en');

/** The texts of a page, in sections that are loaded on demand. Only the page's language is loaded. */
export class PageTexts {
  readonly i18n = i18next.createInstance();
  private readonly opened = new Set<string>();

  /** @param sections in which a key is looked up, in this order. */
  constructor(
    private readonly load: LoadSection,
    [first, ...rest]: readonly [string, ...string[]],
  ) {
    void this.i18n
      .use(initReactI18next)
      .use(spacing)
      .init({
        lng: pageLanguage(),
        resources: {},
        initAsync: false,
        defaultNS: first,
        fallbackNS: rest,
        interpolation: { prefix: '{', suffix: '}', escapeValue: false },
        pluralSeparator: '.',
        postProcess: spacing.name,
      });
  }

  /** Loads a section in the language of the page, and in each language that the page changes to. */
  async open(section: string): Promise<void> {
    this.opened.add(section);
    await this.add(section, pageLanguage());
  }

  /**
   * Stores the language for the next pages and switches this page without losing input.
   *
   * @param cookiePrefix of the service's cookies.
   */
  async choose(language: Language, cookiePrefix: string): Promise<void> {
    const secure = location.protocol === 'https:' ? '; secure' : '';
    document.cookie = `${cookiePrefix}_lang=${language}; path=/; max-age=31536000; samesite=lax${secure}`;
    try {
      await Promise.all(Array.from(this.opened, (section) => this.add(section, language)));
      document.documentElement.lang = language;
      await this.i18n.changeLanguage(language);
    } catch {
      // An update of the service has removed the files that this page refers to.
      location.reload();
    }
  }

  private async add(section: string, language: Language): Promise<void> {
    const { default: texts } = await this.load(section, language);
    this.i18n.addResourceBundle(language, section, texts);
  }
}
