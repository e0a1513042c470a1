import { PageTexts, type Language } from '../shared/language';

const files = {
  en: () => import('../../../i18n/en/account.json'),
  zh: () => import('../../../i18n/zh/account.json'),
};

const SECTION = 'account';

export const texts = new PageTexts((_, language: Language) => files[language](), [SECTION]);

export const openTexts = (): Promise<void> => texts.open(SECTION);
