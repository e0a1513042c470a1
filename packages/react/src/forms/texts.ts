import { useSyncExternalStore } from 'react';
import en from '../../i18n/en/forms.json';
import zh from '../../i18n/zh/forms.json';

export type Language = 'en' | 'zh';
export type TextKey = keyof typeof en;
export type Texts = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

const languages: Readonly<Record<Language, Readonly<Record<TextKey, string>>>> = { en, zh };

/** The page sets its language before it renders, so nothing has to be watched. */
const subscribe = (): (() => void) => () => undefined;
const languageOfPage = (): Language => (document.documentElement.lang.startsWith('zh') ? 'zh' : 'en');
const languageOfServer = (): Language => 'en';

/** The language, by default that of the page (`<html lang>`). */
export function useLanguage(language?: Language): Language {
  const ofPage = useSyncExternalStore(subscribe, languageOfPage, languageOfServer);
  return language ?? ofPage;
}

/** Texts in the language, by default that of the page (`<html lang>`). */
export function useTexts(language?: Language): Texts {
  const texts = languages[useLanguage(language)];
  return (key, values = {}) => texts[key].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}
