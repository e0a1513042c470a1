import { Anchor, Button, CloseButton, Group as Row, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { findByName } from '../users/find-users';
import type { components } from '../../api/schema';
import { api } from '../api';
import { useMay } from '../may';
import { ask } from '../parts/ask';
import { Form } from '../parts/form';
import { LinesInput } from '../parts/lines-input';
import { Loaded } from '../parts/loaded';
import { Section } from '../parts/section';
import { ShowMore } from '../parts/show-more';
import { useAct } from '../parts/use-act';
import { useCursorPages } from '../parts/use-cursor-pages';
import { queryClient } from '../query-client';
import { useUnsaved } from '../unsaved';
import { groupKey, reloadGroups, type Group, type GroupProps } from './group-lists';

type Member = components['schemas']['PublicUserInfoDto'];
type CursorPage = components['schemas']['PublicUserCursorPageDto'];

const MAX_NAMES = 50;

const membersKey = (id: string): string[] => ['group-members', id];

async function reload({ id }: Group): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: membersKey(id) });
  await queryClient.invalidateQueries({ queryKey: groupKey(id) });
  await reloadGroups();
}

function AddMembers({ group, access }: GroupProps): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const [names, setNames] = useState<string[]>([]);
  useUnsaved(names.length > 0);
  const add = async (): Promise<void> => {
    const wanted = [...new Set(names)].slice(0, MAX_NAMES);
    const found = await act.find(() => Promise.all(wanted.map(async (name) => ({ name, id: await findByName(name) }))));
    if (!found) return;
    const unknown = found.data.filter(({ id }) => id === undefined).map(({ name }) => name);
    if (unknown.length > 0) {
      act.showMessage({ names: t('roles.unknown_names', { names: unknown.join(', ') }) });
      return;
    }
    const body = { user_ids: found.data.flatMap(({ id = [] }) => id) };
    const options = { params: { path: { id: group.id } }, body, headers: access.headers('group:update') };
    if (!(await act.run(() => api.POST('/api/group/{id}/users', options), t('act.saved')))) return;
    setNames(names.filter((name) => !wanted.includes(name)));
    await reload(group);
  };
  return (
    <Form act={act} onSubmit={add}>
      <Stack gap="xs">
        <LinesInput
          label={t('roles.add_members')}
          description={t('groups.add_members_hint', { most: MAX_NAMES })}
          value={names}
          error={act.fields['names']}
          onChange={setNames}
        />
        <Row>
          <Button type="submit" variant="default" disabled={names.length === 0} loading={act.busy}>
            {t('act.add')}
          </Button>
        </Row>
      </Stack>
    </Form>
  );
}

function MemberTag({ group, access, member }: GroupProps & { readonly member: Member }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const act = useAct();
  const { id, username } = member;
  const remove = async (): Promise<void> => {
    const title = t('groups.remove_member', { user: username });
    const text = t('groups.remove_member_ask', { user: username });
    if (!(await ask({ title, text, confirm: t('act.remove') }))) return;
    const params = { path: { id: group.id, user_id: id } };
    const options = { params, headers: access.headers('group:update') };
    if (await act.run(() => api.DELETE('/api/group/{id}/users/{user_id}', options), t('act.saved'))) {
      await reload(group);
    }
  };
  return (
    <span className="member">
      {may('user:admin') ? (
        <Anchor component={Link} to={`/admin/users/${id}`} underline="always">
          {username}
        </Anchor>
      ) : (
        username
      )}
      {access.may('group:update') && (
        <CloseButton
          size="sm"
          aria-label={t('groups.remove_member', { user: username })}
          disabled={act.busy}
          onClick={() => void remove()}
        />
      )}
    </span>
  );
}

/** Lists the members of a group, adds some by username, and removes them. */
export function GroupMembers({ group, access }: GroupProps): ReactNode {
  const { t } = useTranslation();
  const members = useCursorPages<Member>(membersKey(group.id), async (cursor) => {
    const params = { path: { id: group.id }, query: { cursor } };
    const { data, error } = await api.GET('/api/group/{id}/users', { params, headers: access.headers('group:read') });
    return { data: data as CursorPage, error };
  });
  return (
    <Section title={t('groups.members')} lead={t('groups.members_lead')}>
      <Loaded query={members}>
        {(rows) => (
          <>
            {rows.length === 0 && <Text c="dimmed">{t('roles.no_members')}</Text>}
            <Row gap="xs" className="wrap">
              {rows.map((member) => (
                <MemberTag key={member.id} group={group} access={access} member={member} />
              ))}
            </Row>
            <ShowMore more={members.more} align="flex-start" />
          </>
        )}
      </Loaded>
      {access.may('group:update') && <AddMembers group={group} access={access} />}
    </Section>
  );
}
