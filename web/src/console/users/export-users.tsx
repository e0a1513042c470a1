import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { paths } from '../../api/schema';
import { saveFile } from '../../shared/save-file';
import { api } from '../api';
import { useSubmit } from '../hooks/use-submit';

type Query = NonNullable<paths['/api/user/export']['get']['parameters']['query']>;

/** Downloads users as a CSV file. */
export function ExportUsers({ query, label }: { readonly query: Query; readonly label: string }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const download = async (): Promise<void> => {
    const options = { params: { query }, parseAs: 'blob' } as const;
    const answer = await act.run(() => api.GET('/api/user/export', options), t('users.exported'));
    if (answer?.data) saveFile('users.csv', answer.data);
  };
  return (
    <Button variant="default" leftSection={<Download />} loading={act.busy} onClick={() => void download()}>
      {label}
    </Button>
  );
}
