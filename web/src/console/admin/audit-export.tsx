import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { useAct } from '../parts/use-act';
import { useTell } from '../parts/use-tell';
import { auditQuery, knownQuery } from './audit-filters';

/** Downloads what the filters leave, all of it. */
export function AuditExport({ query }: { readonly query: ReturnType<typeof auditQuery> }): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const tell = useTell();
  const exportAll = async (): Promise<void> => {
    // A plain download renews no session that is about to end, and says nothing of a filter that is wrong: this does.
    const found = await act.find(() => knownQuery(query));
    if (!found) return;
    const { data: known } = found;
    if (!known) {
      tell.refused(t('audit.none_by_name'));
      return;
    }
    const answer = await act.run(() => api.GET('/api/audit', { params: { query: known } }));
    if (answer) location.assign(`/api/audit/export?${new URLSearchParams(known).toString()}`);
  };
  return (
    <Button variant="default" loading={act.busy} onClick={() => void exportAll()}>
      {t('audit.export')}
    </Button>
  );
}
