import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Info } from '../../shared/info';
import { withPurpose } from '../destination';
import { Page } from '../components/page';

/** Explains an error code from the address. The address never carries a text to show. */
export function ErrorPage({ info }: { readonly info: Info }): ReactNode {
  const { t, i18n } = useTranslation();
  const code = new URLSearchParams(location.search).get('code') ?? '';
  const known = /^[a-z_]{1,40}$/.test(code) && i18n.exists(`error.why.${code}`);
  return (
    <Page info={info} title={t('error.title')} lead={t(known ? `error.why.${code}` : 'error.why.other')}>
      {/* Only the application can start its login again, and its address is no longer known. */}
      {code !== 'interaction_ended' && (
        <a className="primary" href={withPurpose('/login')}>
          {t('error.to_login')}
        </a>
      )}
    </Page>
  );
}
