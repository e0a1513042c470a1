import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import { saveFile } from '../../shared/save-file';
import { useSubmit } from '../use-submit';
import { Button } from './button';
import { Section } from './section';

/** Saves what the service stores about the user as a file. */
export function ExportData(): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const save = async (): Promise<void> => {
    const answer = await act.run(() => api.GET('/api/auth/me/export', { parseAs: 'blob' }));
    if (answer?.data) saveFile('my-data.json', answer.data);
  };
  return (
    <Section title={t('security.export')} lead={t('security.export_lead')}>
      <Button busy={act.busy} onClick={save}>
        {t('security.export')}
      </Button>
    </Section>
  );
}
