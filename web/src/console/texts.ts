import type { Texts } from '../shared/language';

export const texts: Texts = {
  en: () => import('../../../i18n/en/console.json'),
  zh: () => import('../../../i18n/zh/console.json'),
};
