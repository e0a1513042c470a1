import { Anchor, Button } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { $api, api } from '../api';
import { ask } from '../components/ask';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { useRemoveOnLeave } from '../hooks/use-remove-on-leave';
import { GroupDetails } from './group-details';
import { groupKey, pathOf, reloadGroups, type GroupProps } from './group-lists';
import { GroupMembers } from './group-members';
import { GroupRoles } from './group-roles';
import { GroupsTable } from './groups-table';
import { usePlaceAccess } from '../organizations/use-place-access';

interface PlacedGroupProps extends GroupProps {
  /** The address of the page of a group, without the id. */
  readonly base: string;
}

function DeleteGroup({ group, access, base }: PlacedGroupProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const go = useNavigate();
  const removeOnLeave = useRemoveOnLeave(groupKey(group.id));
  const remove = async (): Promise<void> => {
    const text = t('groups.delete_ask', { name: group.name, count: group.member_count });
    if (!(await ask({ title: t('groups.delete'), text, confirm: t('groups.delete') }))) return;
    const options = { params: { path: { id: group.id } }, headers: access.headers('group:delete') };
    if (!(await act.run(() => api.DELETE('/api/group/{id}', options), t('groups.deleted')))) return;
    await reloadGroups();
    removeOnLeave();
    await go(access.organizationId === undefined ? base : parentOf(base), { replace: true });
  };
  return (
    <div>
      <Button
        variant="default"
        className="danger"
        leftSection={<Trash2 />}
        loading={act.busy}
        onClick={() => void remove()}
      >
        {t('groups.delete')}
      </Button>
    </div>
  );
}

function GroupsBelow({ group, access, base }: PlacedGroupProps): ReactNode {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  return (
    <Section title={t('groups.below')}>
      <GroupsTable
        access={access}
        base={base}
        label={t('groups.below')}
        filter={{ parent_id: group.id }}
        empty={t('groups.none_below')}
        page={page}
        onPage={setPage}
      />
    </Section>
  );
}

/** The address without its last part. */
const parentOf = (path: string): string => path.replace(/\/[^/]+$/, '');

/** A group of the service, or of the organization that the address names. */
export function GroupPage(): ReactNode {
  const { t } = useTranslation();
  const { id = '', organization } = useParams();
  const access = usePlaceAccess(organization);
  const base = parentOf(useLocation().pathname);
  const headers = access.headers('group:read');
  const query = $api.useQuery('get', '/api/group/{id}', { params: { path: { id } }, headers });
  const back = organization !== undefined && (
    <Anchor component={Link} to={parentOf(base)} underline="always">
      {t('organizations.organization')}
    </Anchor>
  );
  return (
    <Page title={query.data?.name ?? t('nav.groups')} lead={query.data ? pathOf(query.data) : ''} actions={back}>
      <Loaded query={query}>
        {(group) => (
          <>
            {access.may('group:delete') && <DeleteGroup group={group} access={access} base={base} />}
            {access.may('group:update') && <GroupDetails key={group.id} group={group} access={access} />}
            <GroupRoles key={`roles-${group.id}`} group={group} access={access} />
            {(group.organization_id === undefined || access.may('organization_member:read')) && (
              <GroupMembers key={`members-${group.id}`} group={group} access={access} />
            )}
            <GroupsBelow key={`below-${group.id}`} group={group} access={access} base={base} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
