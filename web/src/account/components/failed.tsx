import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Replaces a page that crashed or could not be loaded. */
export function Failed(): ReactNode {
  const { t } = useTranslation();
  return (
    <div role="alert" className="notice bad">
      <p>
        <strong>{t('page.failed')}</strong> {t(navigator.onLine ? 'page.failed_hint' : 'page.unreachable')}
      </p>
      <button
        type="button"
        className="secondary"
        onClick={() => {
          location.reload();
        }}
      >
        {t('act.reload')}
      </button>
    </div>
  );
}
