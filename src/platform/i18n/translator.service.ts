import { Injectable } from '@nestjs/common';
import { I18nService } from 'nestjs-i18n';
import { closeGaps } from '../page-checks';

export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];
export const fallbackLanguage: Language = 'en';

export type TextParams = Readonly<Record<string, string | number>>;

const PLACEHOLDER = /\{([^{}]*)\}/g;
const pluralRules: Readonly<Record<Language, Intl.PluralRules>> = {
  en: new Intl.PluralRules('en'),
  zh: new Intl.PluralRules('zh'),
};

/** The texts of the service and the UI: one JSON file per section (`errors`, `settings`, …) in `i18n/<language>/`. */
@Injectable()
export class TranslatorService {
  constructor(private readonly i18n: I18nService) {
    // nestjs-i18n only logs unreadable files and continues without texts.
    const missing = languages.filter((language) => !i18n.getTranslations()[language]);
    if (missing.length > 0) throw new Error(`No texts found for ${missing.join(', ')}`);
  }

  /**
   * Returns the text of `key` in `section`, falling back to English and then to the key. A number called `count`
   * selects the plural form.
   */
  text(language: Language, section: string, key: string, params: TextParams = {}): string {
    const path = `${section}.${key}`;
    // Looked up without params: nestjs-i18n would expand a `$t(…)` within them.
    const found = this.i18n.translate<string, unknown>(path, { lang: language });
    const text = formOf(found, language, params);
    return text === undefined || text === path ? key : fillText(text, params);
  }

  has(language: Language, section: string, key: string): boolean {
    const texts: unknown = this.i18n.getTranslations()[language];
    return typeof [section, ...key.split('.')].reduce(ownOf, texts) === 'string';
  }
}

const ownOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** Returns the text, or its plural form for the count; undefined if the key leads to anything else. */
function formOf(found: unknown, language: Language, { count }: TextParams): string | undefined {
  const form = typeof count === 'number' ? (ownOf(found, pluralRules[language].select(count)) ?? found) : found;
  return typeof form === 'string' ? form : undefined;
}

/** Fills `{name}` in one pass, so that placeholders inside values stay as they are. */
export const fillText = (text: string, params: TextParams): string =>
  closeGaps(
    text.replace(PLACEHOLDER, (_, name: string) => String(params[name.trim()] ?? '')),
    Object.values(params),
  );

export function isLanguage(value: unknown): value is Language {
  return languages.some((language) => language === value);
}
