import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import type { Info } from '../../shared/info';
import { timeOf } from '../../shared/time';
import { useSubmit } from '../use-submit';
import { Form } from './form';
import { Page } from './page';

interface KeepAccountProps {
  readonly info: Info;
  /** When the account is deleted. */
  readonly dueAt: string;
  readonly onGoOn: () => void;
}

/** Offers to keep an account whose deletion was requested. */
export function KeepAccount({ info, dueAt, onGoOn }: KeepAccountProps): ReactNode {
  const { t } = useTranslation();
  const submission = useSubmit();
  const keep = async (): Promise<void> => {
    if (await submission.send(() => api.POST('/api/auth/me/deletion/cancel'))) onGoOn();
  };
  return (
    <Page info={info} title={t('keep.title')} lead={t('keep.lead', { time: timeOf(dueAt) })}>
      <Form submission={submission} action={t('keep.keep')} onSubmit={() => void keep()} />
      <p className="links">
        <button type="button" className="link" disabled={submission.busy} onClick={onGoOn}>
          {t('keep.go_on')}
        </button>
      </p>
    </Page>
  );
}
