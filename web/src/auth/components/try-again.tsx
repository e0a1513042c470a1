import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Submission } from '../use-submit';
import { Failure } from '../../ui-basic/fields';

interface TryAgainProps {
  readonly submission: Submission;
  readonly onTry: () => void;
}

/** Shows why a page cannot load, with a button to retry. */
export function TryAgain({ submission, onTry }: TryAgainProps): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <Failure messageCount={submission.messageCount}>{submission.failure}</Failure>
      {submission.failed && (
        <button type="button" className="primary" disabled={submission.busy} onClick={onTry}>
          {t('form.try_again')}
        </button>
      )}
    </>
  );
}
