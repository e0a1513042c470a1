import i18next, { type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';

export const languageNames = { en: 'English', zh: '中文' } as const;
export const languages = ['en', 'zh'] as const satisfies Language[];
export type Language = keyof typeof languageNames;

/** The files of one section of the texts, of which only the page's language is loaded. */
export type Texts = Record<Language, () => Promise<{ default: object }>>;

/** The server has chosen, and wrote it on the page. */
export const pageLanguage: Language = document.documentElement.lang === 'zh' ? 'zh' : 'en';

export async function loadTexts(texts: Texts): Promise<i18n> {
  const { default: resource } = await texts[pageLanguage]();
  const instance = i18next.createInstance();
  await instance.use(initReactI18next).init({
    lng: pageLanguage,
    resources: { [pageLanguage]: { texts: resource } },
    defaultNS: 'texts',
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    pluralSeparator: '.',
  });
  return instance;
}

/** Keeps the choice for the next pages, and shows this one anew. */
export function chooseLanguage(language: Language, cookiePrefix: string): void {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `${cookiePrefix}_lang=${language}; path=/; max-age=31536000; samesite=lax${secure}`;
  location.reload();
}
