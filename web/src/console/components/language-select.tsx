import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { languageNames, pageLanguage, type Language } from '../../shared/language';
import { api } from '../api';
import { useInfo } from '../info-context';
import { invalidateLists } from '../query-client';
import { texts } from '../texts';
import { useNotify } from '../hooks/use-notify';

export function LanguageSelect(): ReactNode {
  const { t } = useTranslation();
  const { cookie_prefix: cookiePrefix } = useInfo();
  const notify = useNotify();
  /** Also stores the choice in the account, whose language overrides the browser's. */
  const choose = async (language: Language): Promise<void> => {
    try {
      await api.PATCH('/api/auth/me', { body: { locale: language } });
      await texts.choose(language, cookiePrefix);
      // Responses of the service in the cache still use the previous language.
      await invalidateLists([]);
    } catch {
      notify.requestError(undefined);
    }
  };
  return (
    <NativeSelect
      label={t('page.language')}
      value={pageLanguage()}
      data={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
      onChange={(event) => void choose(event.currentTarget.value as Language)}
    />
  );
}
