import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInstance, i18n, Resource, ResourceLanguage } from 'i18next';

export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];
export const fallbackLanguage: Language = 'en';

export type TextParams = Readonly<Record<string, string | number>>;

function loadLanguage(folder: string): ResourceLanguage {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  const sections = files.map(
    (file) => [basename(file, '.json'), JSON.parse(readFileSync(join(folder, file), 'utf8')) as unknown] as const,
  );
  return Object.fromEntries(sections) as ResourceLanguage;
}

/** The service's texts: one JSON file a section (`errors`, `settings`, …) under `i18n/<language>/`, the browser's files too. */
export class Translator {
  private readonly i18next: i18n;

  /** @param folder holds one folder a language; read once, at the start. */
  constructor(folder: string) {
    const resources: Resource = Object.fromEntries(
      languages.map((language) => [language, loadLanguage(join(folder, language))]),
    );
    this.i18next = createInstance({
      resources,
      lng: fallbackLanguage,
      fallbackLng: fallbackLanguage,
      initAsync: false,
      nsSeparator: false,
      pluralSeparator: '.',
      interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    });
    void this.i18next.init();
  }

  /** The text of `key` in `section`; the key itself where nobody wrote one (a test holds that this never happens). */
  text(language: Language, section: string, key: string, params: TextParams = {}): string {
    return this.i18next.t(key, { lng: language, ns: section, replace: params, ...params });
  }

  has(language: Language, section: string, key: string): boolean {
    return this.i18next.exists(key, { lng: language, ns: section, fallbackLng: [] });
  }
}

export function isLanguage(value: unknown): value is Language {
  return languages.some((language) => language === value);
}
