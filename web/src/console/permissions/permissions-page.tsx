import { Button, Card, Stack, Table, Text, Title } from '@mantine/core';
import { levelNames } from 'castellan-client';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { $api, api } from '../api';
import { useMay } from '../use-permission';
import { ask } from '../components/ask';
import { FilterInput } from '../components/filter-input';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { useSubmit } from '../hooks/use-submit';
import { useFilters } from '../hooks/use-filters';
import { AddCatalogueEntry } from './add-catalogue-entry';
import { reloadCatalogue, type CatalogueEntry } from './catalogue';
import { PermissionCheck } from './permission-check';

const moduleOf = ({ permission_id: id }: CatalogueEntry): string => id.slice(0, id.indexOf(':'));

function RemoveEntry({ entry }: { readonly entry: CatalogueEntry }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const permission = `${entry.scope}:${entry.permission_id}`;
  const remove = async (): Promise<void> => {
    const text = t('permissions.remove_ask', { permission });
    if (!(await ask({ title: t('permissions.remove'), text, confirm: t('act.remove') }))) return;
    const params = { path: { scope: entry.scope, permission_id: entry.permission_id } };
    const answer = await act.run(
      () => api.DELETE('/api/permission/{scope}/{permission_id}', { params }),
      t('act.saved'),
    );
    if (answer) await reloadCatalogue();
  };
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={act.busy}
      aria-label={t('permissions.remove_one', { permission })}
      onClick={() => void remove()}
    >
      {t('act.remove')}
    </Button>
  );
}

interface ScopeProps {
  readonly scope: string;
  readonly entries: readonly CatalogueEntry[];
}

/** Permissions of one service, grouped by module. */
function Scope({ scope, entries }: ScopeProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const modules = [...Map.groupBy(entries, moduleOf)];
  return (
    <Card withBorder component="section">
      <Title order={2} size="h4">
        {t('permissions.of_scope', { scope })}
      </Title>
      <div className="scrolls-x" tabIndex={0} role="region" aria-label={t('permissions.of_scope', { scope })}>
        <Table miw={560} className="stacks" role="table">
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              <Table.Th role="columnheader">{t('roles.permission')}</Table.Th>
              <Table.Th role="columnheader">{t('roles.description')}</Table.Th>
              <Table.Th role="columnheader">{t('permissions.least_level')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          {modules.map(([name, members]) => (
            <Table.Tbody key={name} role="rowgroup">
              <Table.Tr role="row">
                <Table.Th colSpan={3} scope="rowgroup" role="rowheader" className="module">
                  {name}
                </Table.Th>
              </Table.Tr>
              {members.map((entry) => (
                <Table.Tr key={entry.permission_id} role="row">
                  <Table.Td role="cell" data-column={t('roles.permission')}>
                    <code>{entry.permission_id}</code>
                  </Table.Td>
                  <Table.Td role="cell" data-column={t('roles.description')}>
                    <div>
                      {entry.description}{' '}
                      {!entry.is_builtin && may('permission:delete') && <RemoveEntry entry={entry} />}
                    </div>
                  </Table.Td>
                  <Table.Td role="cell" data-column={t('permissions.least_level')} className="unbroken">
                    {t(`roles.level_${levelNames[entry.required_level - 1] ?? 'admin'}`)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          ))}
        </Table>
      </div>
    </Card>
  );
}

function Catalogue({ items }: { readonly items: readonly CatalogueEntry[] }): ReactNode {
  const { t } = useTranslation();
  const [filters, setFilter] = useFilters(['keyword']);
  const wanted = filters.keyword.toLowerCase();
  const found = items.filter(({ scope, permission_id, description }) =>
    `${scope}:${permission_id} ${description}`.toLowerCase().includes(wanted),
  );
  return (
    <Stack>
      <FilterInput
        label={t('list.search')}
        type="search"
        value={filters.keyword}
        onSet={(keyword) => {
          setFilter('keyword', keyword);
        }}
      />
      {found.length === 0 && <Text c="dimmed">{t('permissions.none')}</Text>}
      {[...Map.groupBy(found, ({ scope }) => scope)].map(([scope, entries]) => (
        <Scope key={scope} scope={scope} entries={entries} />
      ))}
    </Stack>
  );
}

/** Lists all permissions, and checks them for a user. */
export function PermissionsPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const catalogue = $api.useQuery('get', '/api/permission');
  return (
    <Page wide title={t('nav.permissions')} lead={t('permissions.lead')}>
      <Loaded query={catalogue}>
        {({ items }) => (
          <>
            <PermissionCheck catalogue={items} />
            <Catalogue items={items} />
            {may('permission:create') && <AddCatalogueEntry />}
          </>
        )}
      </Loaded>
    </Page>
  );
}
