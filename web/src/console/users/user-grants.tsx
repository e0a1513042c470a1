import { Loader, Text } from '@mantine/core';
import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { useInfo } from '../info-context';
import { useMay } from '../use-permission';
import { Loaded } from '../components/loaded';
import { Section } from '../components/section';
import { AddPermission } from '../permissions/add-permission';
import { GrantsTable } from '../permissions/grants-table';
import { useDirectGrants } from '../permissions/use-direct-grants';

/** Few users have such grants. */
const UserGrantsThere = lazy(async () => ({ default: (await import('./user-grants-there')).UserGrantsThere }));

type Effective = components['schemas']['EffectiveGrantDto'];

interface UserGrantsProps {
  readonly userId: string;
  readonly username: string;
}

/** Direct grants of a user, which can be edited, and all effective grants with their source. */
export function UserGrants({ userId, username }: UserGrantsProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { scope } = useInfo();
  const { query, act, change, remove } = useDirectGrants(userId, username);
  const editable = may('role:update');
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
