import { pageLanguage, type Language } from './language';

/** English pages write dates in the British way, like the texts. */
export const locales: Readonly<Record<Language, string>> = { en: 'en-GB', zh: 'zh-CN' };

const format = (locale: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const formats: Readonly<Record<Language, Intl.DateTimeFormat>> = { en: format(locales.en), zh: format(locales.zh) };

/** Formats an API time for the page's language, in the browser's time zone. */
export const timeOf = (time: string): string => formats[pageLanguage()].format(new Date(time));
