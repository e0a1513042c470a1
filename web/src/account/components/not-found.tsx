import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from './page';

/** Page for unknown addresses. */
export function NotFound(): ReactNode {
  const { t } = useTranslation();
  return (
    <Page title={t('page.not_found')}>
      <p>{t('page.not_found_hint')}</p>
      <p>
        <a className="link" href="/account">
          {t('nav.profile')}
        </a>
      </p>
    </Page>
  );
}
