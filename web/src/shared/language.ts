import i18next, { type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';

export const languageNames = { en: 'English', zh: '中文' } as const;
export const languages = ['en', 'zh'] as const satisfies Language[];
export type Language = keyof typeof languageNames;

/** The files of one section of the texts, of which only the page's language is loaded. */
export type Texts = Record<Language, () => Promise<{ default: object }>>;

const SECTION = 'texts';

/** The server has chosen, and wrote it on the page; somebody there may have chosen since. */
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

async function speak(language: Language, texts: Texts, spoken: i18n): Promise<void> {
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

/** Keeps the choice for the next pages, and shows this one in it as it stands, with whatever was typed. */
export async function chooseLanguage({ language, cookiePrefix, texts, spoken }: Choice): Promise<void> {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `${cookiePrefix}_lang=${language}; path=/; max-age=31536000; samesite=lax${secure}`;
  try {
    await speak(language, texts, spoken);
  } catch {
    // The service was replaced meanwhile, and with it the files that this page knows of.
    location.reload();
  }
}
