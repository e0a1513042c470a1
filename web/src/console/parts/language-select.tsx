import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, languageNames, pageLanguage, type Language } from '../../shared/language';
import { api } from '../api';
import { useInfo } from '../info-context';
import { forgetLists } from '../query-client';
import { texts } from '../texts';
import { useTell } from './use-tell';

export function LanguageSelect(): ReactNode {
  const { t, i18n: spoken } = useTranslation();
  const { cookie_prefix: cookiePrefix } = useInfo();
  const tell = useTell();
  /** The account keeps the choice, as its own language stands before the browser's. */
  const choose = async (language: Language): Promise<void> => {
    try {
      await api.PATCH('/api/auth/me', { body: { locale: language } });
      await chooseLanguage({ language, cookiePrefix, texts, spoken });
      // Much of what is shown was told by the service, in the language before.
      await forgetLists([]);
    } catch {
      tell.failed(undefined);
    }
  };
  return (
    <NativeSelect
      aria-label={t('page.language')}
      value={pageLanguage()}
      data={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
      onChange={(event) => void choose(event.currentTarget.value as Language)}
    />
  );
}
