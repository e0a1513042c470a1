import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api } from '../api';
import { GrantsTable } from '../permissions/grants-table';

type Direct = components['schemas']['DirectGrantDto'];

function OrganizationName({ id }: { readonly id: string }): ReactNode {
  const { data } = $api.useQuery('get', '/api/organization/{id}', { params: { path: { id } } });
  return data?.name ?? id;
}

interface UserGrantsThereProps {
  readonly grants: readonly Direct[];
  readonly busy: boolean;
  readonly onRemove: ((grant: Direct) => void) | undefined;
}

/** Direct grants of a user that hold in one organization only. */
export function UserGrantsThere({ grants, busy, onRemove }: UserGrantsThereProps): ReactNode {
  const { t } = useTranslation();
  const place = {
    name: t('organizations.organization'),
    show: ({ organization_id: id }: Direct) => id !== undefined && <OrganizationName id={id} />,
  };
  return (
    <>
      <Text fw={600}>{t('users.grants_there')}</Text>
      <GrantsTable
        label={t('users.grants_there')}
        grants={grants}
        empty={t('users.no_grants')}
        rowKey={({ organization_id: id, scope, permission_id }) => `${id} ${scope}:${permission_id}`}
        more={[place]}
        busy={busy}
        onRemove={onRemove}
      />
    </>
  );
}
