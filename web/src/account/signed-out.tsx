import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Cover, KEPT_MINUTES, LOGIN_WINDOW, useSignedOut } from '../session/session-end';
import { dropUnsaved } from '../session/unsaved';
import { Dialog } from './dialogs';
import { info } from './info';

interface SignedOutProps {
  /** Error code of the ended session. Undefined while a user is logged in. */
  readonly code: string | undefined;
}

/** Leads to the login after the session has ended. While the page has unsaved input, covers it and keeps the input. */
export function SignedOut({ code }: SignedOutProps): ReactNode {
  const { t } = useTranslation();
  const address = useSignedOut(code);
  if (address === undefined) return null;
  return (
    <>
      <Cover name={info.name} />
      <Dialog className="above-cover" title={t('ended.title')}>
        <p>{t('ended.kept', { minutes: KEPT_MINUTES })}</p>
        <div className="buttons end">
          <a className="secondary" href={address} onClick={dropUnsaved}>
            {t('ended.leave')}
          </a>
          <a className="primary" href={address} target={LOGIN_WINDOW} data-autofocus>
            {t('reauthenticate.log_in_again')}
          </a>
        </div>
      </Dialog>
    </>
  );
}
