import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../shared/save-file';
import { api } from '../api';
import { Section } from '../parts/section';
import { useAct } from '../parts/use-act';

/** Saves what the service stores about the user as a file. */
export function ExportData(): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const save = async (): Promise<void> => {
    const answer = await act.run(() => api.GET('/api/auth/me/export', { parseAs: 'blob' }));
    if (answer?.data) saveFile('my-data.json', answer.data);
  };
  return (
    <Section title={t('security.export')} lead={t('security.export_lead')}>
      <div>
        <Button variant="default" loading={act.busy} onClick={() => void save()}>
          {t('security.export')}
        </Button>
      </div>
    </Section>
  );
}
