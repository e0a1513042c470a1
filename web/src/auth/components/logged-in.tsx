import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Info } from '../../shared/info';
import { Page } from './page';
import { StartAgain } from './start-again';
import { TryAgain } from './try-again';
import type { Onward } from '../use-onward';

/** Page for a user who is logged in but cannot continue because of an error. */
export function LoggedIn({ info, onward }: { readonly info: Info; readonly onward: Onward }): ReactNode {
  const { t } = useTranslation();
  return (
    <Page info={info} title={t('login.done')}>
      <TryAgain submission={onward.submission} onTry={() => void onward.go()} />
      <StartAgain />
    </Page>
  );
}
