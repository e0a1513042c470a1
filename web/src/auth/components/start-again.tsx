import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { withPurpose } from '../destination';

/** Link back to the first step of the login. */
export function StartAgain(): ReactNode {
  const { t } = useTranslation();
  return (
    <p className="links">
      <a href={withPurpose('/login')}>{t('mfa.start_again')}</a>
    </p>
  );
}
