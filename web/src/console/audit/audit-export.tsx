import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { useMay } from '../use-permission';
import { useSubmit } from '../hooks/use-submit';
import { useNotify } from '../hooks/use-notify';
import { auditQuery, knownQuery } from './audit-filters';
import { ExportButtons, type ExportFormat } from './export-buttons';

/** Downloads all events that match the filters. */
export function AuditExport({ query }: { readonly query: ReturnType<typeof auditQuery> }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const act = useSubmit();
  const notify = useNotify();
  const exportAll = async (format: ExportFormat): Promise<void> => {
    // A plain download neither refreshes the session nor shows an invalid filter, so send one request first.
    const found = await act.find(() => knownQuery(query, may('user:admin')));
    if (!found) return;
    const { known } = found.data;
    if (!known) {
      notify.error(t(found.data.people.length > 0 ? 'audit.many_by_name' : 'audit.none_by_name'));
      return;
    }
    const answer = await act.run(() => api.GET('/api/audit', { params: { query: known } }));
    const parameters = new URLSearchParams({ ...known, format });
    if (answer) location.assign(`/api/audit/export?${parameters.toString()}`);
  };
  return <ExportButtons busy={act.busy} onExport={(format) => void exportAll(format)} />;
}
