import i18next, { type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';

export const languageNames = { en: 'English', zh: '中文' } as const;
export const languages = ['en', 'zh'] as const satisfies Language[];
export type Language = keyof typeof languageNames;

/** Lazy-loaded texts of one section. Only the page's language is loaded. */
export type Texts = Record<Language, () => Promise<{ default: object }>>;

const SECTION = 'texts';

/** The server sets `lang`. The user may have changed it since. */
export const pageLanguage = (): Language => (document.documentElement.lang === 'zh' ? 'zh' : 'en');

export async function loadTexts(texts: Texts): Promise<i18n> {
  const language = pageLanguage();
  const { default: resource } = await texts[language]();
  const instance = i18next.createInstance();
  await instance.use(initReactI18next).init({
    lng: language,
    resources: { [language]: { [SECTION]: resource } },
    defaultNS: SECTION,
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    pluralSeparator: '.',
  });
  return instance;
}

async function switchLanguage(language: Language, texts: Texts, spoken: i18n): Promise<void> {
  const { default: resource } = await texts[language]();
  spoken.addResourceBundle(language, SECTION, resource);
  document.documentElement.lang = language;
  await spoken.changeLanguage(language);
}

interface Choice {
  readonly language: Language;
  readonly cookiePrefix: string;
  readonly texts: Texts;
  readonly spoken: i18n;
}

/** Stores the language for the next pages and switches this page without losing input. */
export async function chooseLanguage({ language, cookiePrefix, texts, spoken }: Choice): Promise<void> {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `${cookiePrefix}_lang=${language}; path=/; max-age=31536000; samesite=lax${secure}`;
  try {
    await switchLanguage(language, texts, spoken);
  } catch {
    // An update of the service has removed the files that this page refers to.
    location.reload();
  }
}
