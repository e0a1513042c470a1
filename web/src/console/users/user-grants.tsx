import { Loader, Text } from '@mantine/core';
import type { Permission } from 'castellan-client';
import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { useInfo } from '../info-context';
import { useMay } from '../may';
import { ask } from '../parts/ask';
import { Loaded } from '../parts/loaded';
import { Section } from '../parts/section';
import { useAct } from '../parts/use-act';
import { queryClient } from '../query-client';
import { AddPermission } from '../permissions/add-permission';
import { codeOf, GrantsTable } from '../permissions/grants-table';

/** Few users have such grants. */
const UserGrantsThere = lazy(async () => ({ default: (await import('./user-grants-there')).UserGrantsThere }));

type Change = components['schemas']['ChangeUserGrantsDto'];
type Effective = components['schemas']['EffectiveGrantDto'];

interface UserGrantsProps {
  readonly userId: string;
  readonly username: string;
}

const ofUser = (id: string) => $api.queryOptions('get', '/api/user/{id}/permissions', { params: { path: { id } } });

/** Direct grants of a user, which can be edited, and all effective grants with their source. */
export function UserGrants({ userId, username }: UserGrantsProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { scope } = useInfo();
  const act = useAct();
  const query = $api.useQuery('get', '/api/user/{id}/permissions', { params: { path: { id: userId } } });
  const editable = may('role:update');
  const change = async (body: Change): Promise<boolean> => {
    const options = { params: { path: { id: userId } }, body };
    const answer = await act.run(() => api.PATCH('/api/user/{id}/permissions', options), t('act.saved'));
    if (answer?.data) queryClient.setQueryData(ofUser(userId).queryKey, answer.data);
    return answer !== undefined;
  };
  const remove = async (grant: Permission, organizationId?: string): Promise<void> => {
    const permission = codeOf(grant);
    const text = t('users.remove_grant_ask', { user: username, permission });
    const title = t('roles.remove', { permission });
    if (await ask({ title, text, confirm: t('act.remove') })) {
      await change({
        remove: [permission],
        ...(organizationId !== undefined && { remove_organization_id: organizationId }),
      });
    }
  };
  const sources = [
    {
      name: t('users.grant_from'),
      show: ({ from, groups = [] }: Effective) => {
        const names = from.map((name) => (name === 'direct' ? t('users.grant_direct') : name)).join(', ');
        return groups.length === 0 ? names : t('users.grant_groups', { names, groups: groups.join(', ') });
      },
    },
  ];
  return (
    <Section title={t('users.grants')} lead={t('users.grants_hint')}>
      <Loaded query={query}>
        {({ direct, effective }) => (
          <>
            <GrantsTable
              label={t('users.grants')}
              grants={direct.filter(({ organization_id }) => organization_id === undefined)}
              empty={t('users.no_grants')}
              busy={act.busy}
              onRemove={editable ? (grant) => void remove(grant) : undefined}
            />
            {editable && (
              <AddPermission
                scope={scope}
                held={effective}
                gains={t('users.gains', { user: username })}
                act={act}
                onAdd={(added) => change({ add: [added] })}
              />
            )}
            {direct.some(({ organization_id }) => organization_id !== undefined) && (
              <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
                <UserGrantsThere
                  grants={direct.filter(({ organization_id }) => organization_id !== undefined)}
                  busy={act.busy}
                  onRemove={editable ? (grant) => void remove(grant, grant.organization_id) : undefined}
                />
              </Suspense>
            )}
            <Text fw={600}>{t('users.grants_in_all')}</Text>
            <GrantsTable
              label={t('users.grants_in_all')}
              grants={effective}
              empty={t('users.holds_nothing')}
              more={sources}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}
