import { Button, Group as Row, Loader, Stack, Text, TextInput } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { findByName } from '../hooks/find-users';
import { api } from '../api';
import { useMay } from '../use-permission';
import { Form } from '../../session/form';
import { Loaded } from '../components/loaded';
import { Section } from '../components/section';
import { ShowMore } from '../components/show-more';
import { useSubmit } from '../hooks/use-submit';
import { useCursorPages } from '../hooks/use-cursor-pages';
import { queryClient } from '../query-client';
import { Mark } from '../../session/mark';
import { useUnsaved } from '../../session/unsaved';
import type { Organization } from './organization-lists';
import { OrganizationRolePicker } from './organization-role-picker';
import { RemoveMember } from './remove-member';

/** Few administrators may change them. */
const MemberGrants = lazy(async () => ({ default: (await import('./member-grants')).MemberGrants }));

type Member = components['schemas']['OrganizationMemberDto'];
type MemberPage = components['schemas']['OrganizationMemberCursorPageDto'];

const membersKey = (id: string): string[] => ['organization-members', id];
const reload = ({ id }: Organization): Promise<void> => queryClient.invalidateQueries({ queryKey: membersKey(id) });

function AddMember({ organization }: { readonly organization: Organization }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const [username, setUsername] = useState('');
  const [roleIds, setRoleIds] = useState<string[]>([]);
  useUnsaved(username !== '' || roleIds.length > 0);
  const add = async (): Promise<void> => {
    const found = await act.find(() => findByName(username.trim()));
    if (!found) return;
    if (found.data === undefined) {
      act.showMessage({ user_id: t('roles.unknown_names', { names: username }) });
      return;
    }
    const options = {
      params: { path: { id: organization.id } },
      body: { user_id: found.data, role_ids: roleIds },
    };
    if (!(await act.run(() => api.POST('/api/organization/{id}/members', options), t('act.saved')))) return;
    setUsername('');
    setRoleIds([]);
    await reload(organization);
  };
  return (
    <Form act={act} onSubmit={add}>
      <Stack gap="xs">
        <TextInput
          label={t('organizations.add_member')}
          description={t('organizations.add_member_hint')}
          value={username}
          error={act.fields['user_id']}
          autoComplete="off"
          onChange={(event) => {
            setUsername(event.currentTarget.value);
          }}
        />
        <OrganizationRolePicker organizationId={organization.id} ids={roleIds} editable onChange={setRoleIds} />
        <Row>
          <Button type="submit" variant="default" disabled={username.trim() === ''} loading={act.busy}>
            {t('act.add')}
          </Button>
        </Row>
      </Stack>
    </Form>
  );
}

interface MemberRowProps {
  readonly organization: Organization;
  readonly member: Member;
  readonly editable: boolean;
}

function MemberRow({ organization, member, editable }: MemberRowProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const may = useMay();
  const [showsGrants, setShowsGrants] = useState(false);
  const { username } = member;
  const isPending = member.status === 'pending';
  // The route of the user's grants needs them everywhere, and a member.
  const maySetGrants = !isPending && may('user:admin') && may('role:update');
  const params = { path: { id: organization.id, user_id: member.id } };
  const setRoles = async (roleIds: string[]): Promise<void> => {
    const body = { role_ids: roleIds };
    if (await act.run(() => api.PATCH('/api/organization/{id}/members/{user_id}', { params, body }), t('act.saved'))) {
      await reload(organization);
    }
  };
  return (
    <Stack gap="xs" role="group" aria-label={username}>
      <Row justify="space-between" align="flex-start">
        <Stack gap={4} className="wrap">
          <Text fw={600}>
            {username} {isPending && <Mark tone="plain">{t('organizations.pending')}</Mark>}
          </Text>
          {isPending && <Text size="sm">{t('organizations.pending_hint', { user: username })}</Text>}
          <OrganizationRolePicker
            organizationId={organization.id}
            ids={member.role_ids}
            editable={editable}
            onChange={(ids) => void setRoles(ids)}
          />
        </Stack>
        <Row gap="xs">
          {maySetGrants && (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={t('organizations.member_grants', { user: username })}
              aria-expanded={showsGrants}
              onClick={() => {
                setShowsGrants(!showsGrants);
              }}
            >
              {t('organizations.grants')}
            </Button>
          )}
          {editable && (
            <RemoveMember organization={organization} member={member} onRemoved={() => reload(organization)} />
          )}
        </Row>
      </Row>
      {showsGrants && (
        <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
          <MemberGrants organization={organization} userId={member.id} username={username} />
        </Suspense>
      )}
    </Stack>
  );
}

/** The members of an organization with their roles there. */
export function OrganizationMembers({ organization, editable }: Omit<MemberRowProps, 'member'>): ReactNode {
  const { t } = useTranslation();
  const members = useCursorPages<Member>(membersKey(organization.id), async (cursor) => {
    const params = { path: { id: organization.id }, query: { cursor } };
    const { data, error } = await api.GET('/api/organization/{id}/members', { params });
    return { data: data as MemberPage, error };
  });
  return (
    <Section title={t('organizations.members')} lead={t('organizations.members_lead')}>
      <Loaded query={members}>
        {(rows) => (
          <>
            {rows.length === 0 && <Text c="dimmed">{t('roles.no_members')}</Text>}
            {rows.map((member) => (
              <MemberRow key={member.id} organization={organization} member={member} editable={editable} />
            ))}
            <ShowMore more={members.more} align="flex-start" />
          </>
        )}
      </Loaded>
      {editable && <AddMember organization={organization} />}
    </Section>
  );
}
