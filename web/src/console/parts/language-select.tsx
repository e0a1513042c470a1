import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, languageNames, pageLanguage, type Language } from '../../shared/language';
import { api } from '../api';
import { useInfo } from '../info-context';

/** The account keeps the choice, as its own language stands before the browser's. */
async function choose(language: Language, cookiePrefix: string): Promise<void> {
  await api.PATCH('/api/auth/me', { body: { locale: language } });
  chooseLanguage(language, cookiePrefix);
}

export function LanguageSelect(): ReactNode {
  const { t } = useTranslation();
  const { cookie_prefix } = useInfo();
  return (
    <NativeSelect
      aria-label={t('page.language')}
      value={pageLanguage}
      data={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
      onChange={(event) => void choose(event.currentTarget.value as Language, cookie_prefix)}
    />
  );
}
