import { PageTexts, type Language } from '../shared/language';

const files = {
  en: () => import('../../../i18n/en/auth.json'),
  zh: () => import('../../../i18n/zh/auth.json'),
};

const SECTION = 'auth';

export const texts = new PageTexts((_, language: Language) => files[language](), [SECTION]);

export const openTexts = (): Promise<void> => texts.open(SECTION);
