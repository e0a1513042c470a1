import type { Language } from '../../platform/i18n';

/** As in `platform/i18n`, which loads its library. */
export const LANGUAGES: readonly Language[] = ['en', 'zh'];

export const isLanguage = (value: unknown): value is Language => LANGUAGES.some((language) => language === value);
