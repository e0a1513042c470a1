import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { auditColumns, type AuditEvent } from '../audit/audit-columns';
import { api } from '../api';
import { useMay } from '../may';
import { Loaded } from '../parts/loaded';
import { Section } from '../parts/section';
import { DataTable } from '../parts/table';
import { useCursorPages } from '../parts/use-cursor-pages';
import type { Organization } from './organization-lists';

/** What was done in an organisation. */
export function OrganizationAudit({ organization: { id } }: { readonly organization: Organization }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { at, action, target, change, actor } = auditColumns(t);
  const events = useCursorPages<AuditEvent>(
    ['organization-audit', id],
    (cursor) =>
      api.GET('/api/audit', {
        params: { query: { organization_id: id, cursor } },
        headers: may('audit:read') ? {} : { 'X-Organization-Id': id },
      }),
    { alwaysFresh: true },
  );
  return (
    <Section title={t('nav.audit')} lead={t('organizations.audit_lead')}>
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
