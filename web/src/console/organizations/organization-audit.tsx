import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../shared/save-file';
import { auditColumns } from '../audit/audit-columns';
import type { AuditEvent } from '../audit/audit-event';
import { ExportButtons, type ExportFormat } from '../audit/export-buttons';
import { api } from '../api';
import { useMay } from '../use-permission';
import { Loaded } from '../components/loaded';
import { Section } from '../components/section';
import { DataTable } from '../components/table';
import { useSubmit } from '../hooks/use-submit';
import { useCursorPages } from '../hooks/use-cursor-pages';
import type { Organization } from './organization-lists';

/** What was done in an organization. */
export function OrganizationAudit({ organization }: { readonly organization: Organization }): ReactNode {
  const { id, slug } = organization;
  const { t } = useTranslation();
  const may = useMay();
  const act = useSubmit();
  const headers: Record<string, string> = may('audit:read') ? {} : { 'X-Organization-Id': id };
  const { at, action, target, change, actor } = auditColumns(t);
  const events = useCursorPages<AuditEvent>(
    ['organization-audit', id],
    (cursor) =>
      api.GET('/api/audit', {
        params: { query: { organization_id: id, cursor } },
        headers,
      }),
    { alwaysFresh: true },
  );
  // Not a link, which could not name the organization in a header.
  const exportAll = async (format: ExportFormat): Promise<void> => {
    const options = { params: { query: { organization_id: id, format } }, headers, parseAs: 'blob' } as const;
    const answer = await act.run(() => api.GET('/api/audit/export', options));
    if (answer?.data) saveFile(`audit-${slug}.${format}`, answer.data);
  };
  return (
    <Section title={t('nav.audit')} lead={t('organizations.audit_lead')}>
      <ExportButtons busy={act.busy} onExport={(format) => void exportAll(format)} />
      <Loaded query={events}>
        {(rows) => (
          <DataTable
            label={t('nav.audit')}
            columns={[at, action, actor(), target, change]}
            rows={rows}
            rowKey={(event) => event.id}
            empty={t('list.none')}
            more={events.more}
          />
        )}
      </Loaded>
    </Section>
  );
}
