import { Button } from '@mantine/core';
import { levelNames, type Permission } from 'castellan-client';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable, type Column } from '../components/table';

interface GrantsTableProps<T extends Permission> {
  readonly label: string;
  readonly grants: readonly T[];
  readonly empty: string;
  /** Additional columns. */
  readonly more?: readonly Column<T>[];
  /** Undefined makes the table read-only. */
  readonly onRemove?: ((grant: T) => void) | undefined;
  readonly busy?: boolean;
  /** Where a permission may be there twice. */
  readonly rowKey?: (grant: T) => string;
}

/** Permission code as the API expects it in `remove` lists. */
export const codeOf = ({ scope, permission_id }: Permission): string => `${scope}:${permission_id}`;

/** Shows grants with the names of their levels. */
export function GrantsTable<T extends Permission>({
  label,
  grants,
  empty,
  more = [],
  ...rest
}: GrantsTableProps<T>): ReactNode {
  const { t } = useTranslation();
  const { onRemove, busy = false, rowKey = codeOf } = rest;
  const columns: Column<T>[] = [
    { name: t('roles.scope'), show: (grant) => grant.scope },
    { name: t('roles.permission'), show: (grant) => <code>{grant.permission_id}</code> },
    { name: t('roles.level'), show: (grant) => t(`roles.level_${levelNames[grant.level - 1] ?? 'admin'}`) },
    ...more,
  ];
  if (onRemove) {
    const show = (grant: T): ReactNode => (
      <Button
        size="compact-sm"
        variant="default"
        loading={busy}
        aria-label={t('roles.remove', { permission: grant.permission_id })}
        onClick={() => {
          onRemove(grant);
        }}
      >
        {t('act.remove')}
      </Button>
    );
    columns.push({ name: t('list.actions'), show });
  }
  return <DataTable label={label} columns={columns} rows={grants} rowKey={rowKey} empty={empty} />;
}
