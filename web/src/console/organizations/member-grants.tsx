import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useInfo } from '../info-context';
import { Loaded } from '../components/loaded';
import { AddPermission } from '../permissions/add-permission';
import { GrantsTable } from '../permissions/grants-table';
import { useDirectGrants } from '../permissions/use-direct-grants';
import type { Organization } from './organization-lists';

interface MemberGrantsProps {
  readonly organization: Organization;
  readonly userId: string;
  readonly username: string;
}

/** The direct grants of a member that hold in the organization only. */
export function MemberGrants({ organization: { id }, userId, username }: MemberGrantsProps): ReactNode {
  const { t } = useTranslation();
  const { scope } = useInfo();
  const { query, act, change, remove } = useDirectGrants(userId, username);
  return (
    <Loaded query={query}>
      {({ direct, effective }) => {
        const here = direct.filter(({ organization_id }) => organization_id === id);
        return (
          <Stack>
            <GrantsTable
              label={t('organizations.member_grants', { user: username })}
              grants={here}
              empty={t('users.no_grants')}
              busy={act.busy}
              onRemove={(grant) => void remove(grant, id)}
            />
            <AddPermission
              scope={scope}
              held={[...effective, ...here]}
              gains={t('users.gains', { user: username })}
              act={act}
              onAdd={(added) => change({ add: [{ ...added, organization_id: id }] })}
            />
          </Stack>
        );
      }}
    </Loaded>
  );
}
