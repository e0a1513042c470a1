import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import type { Info } from '../../shared/info';
import { saveFile } from '../../shared/save-file';
import { useSubmit, type Submission } from '../use-submit';
import { Failure } from '../../ui-basic/fields';

const UNAUTHENTICATED = 401;

interface ActProps {
  readonly label: string;
  readonly submission: Submission;
  readonly onAct: () => void;
}

function Act({ label, submission, onAct }: ActProps): ReactNode {
  return (
    <>
      <Failure messageCount={submission.messageCount}>{submission.failure}</Failure>
      <button type="button" className="secondary" disabled={submission.busy} onClick={onAct}>
        {label}
      </button>
    </>
  );
}

function LogOut(): ReactNode {
  const { t } = useTranslation();
  const submission = useSubmit();
  const leave = (): void => {
    location.assign('/login');
  };
  const logOut = async (): Promise<void> => {
    const answer = await submission.send(
      () => api.POST('/api/auth/logout'),
      ({ status }) => {
        if (status === UNAUTHENTICATED) leave();
        return status === UNAUTHENTICATED;
      },
    );
    if (answer) leave();
  };
  return <Act label={t('terms.log_out')} submission={submission} onAct={() => void logOut()} />;
}

function ExportData(): ReactNode {
  const { t } = useTranslation();
  const submission = useSubmit();
  const save = async (): Promise<void> => {
    const answer = await submission.send(() => api.GET('/api/auth/me/export', { parseAs: 'blob' }));
    if (answer?.data) saveFile('my-data.json', answer.data);
  };
  return <Act label={t('terms.export')} submission={submission} onAct={() => void save()} />;
}

function DeleteAccount({ info }: { readonly info: Info }): ReactNode {
  const { t } = useTranslation();
  const submission = useSubmit();
  const [asks, setAsks] = useState(false);
  const count = info.account.deletion_grace_days;
  const remove = async (): Promise<void> => {
    const answer = await submission.send(() => api.DELETE('/api/auth/me'));
    // A body says when the account will be deleted.
    if (answer) location.assign(answer.data ? '/login?deletion_due' : '/login?deleted');
  };
  const ask = (does: boolean): void => {
    submission.clear();
    setAsks(does);
  };
  if (!asks) {
    return (
      <Act
        label={t('terms.delete')}
        submission={submission}
        onAct={() => {
          ask(true);
        }}
      />
    );
  }
  const days = t('terms.days', { count });
  return (
    <>
      <p>{count > 0 ? t('terms.delete_ask_grace', { days }) : t('terms.delete_ask')}</p>
      <Act label={t('terms.delete_confirm')} submission={submission} onAct={() => void remove()} />
      <button
        type="button"
        className="link"
        disabled={submission.busy}
        onClick={() => {
          ask(false);
        }}
      >
        {t('terms.cancel')}
      </button>
    </>
  );
}

/** What a user can do who does not agree to the terms: log out, or leave with the own data. */
export function DeclinedTerms({ info }: { readonly info: Info }): ReactNode {
  const { t } = useTranslation();
  return (
    <details className="declined">
      <summary className="link">{t('terms.decline')}</summary>
      <p>{t('terms.declined', { service: info.name })}</p>
      <LogOut />
      <ExportData />
      <DeleteAccount info={info} />
    </details>
  );
}
