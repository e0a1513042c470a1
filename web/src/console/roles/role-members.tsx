import { Anchor, Button, Card, CloseButton, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { components } from '../../api/schema';
import { api } from '../api';
import { useMay } from '../use-permission';
import { ask } from '../components/ask';
import { Form } from '../../session/form';
import { Loaded } from '../components/loaded';
import { Mark } from '../../session/mark';
import { useSubmit } from '../hooks/use-submit';
import { ShowMore } from '../components/show-more';
import { useCursorPages } from '../hooks/use-cursor-pages';
import { queryClient } from '../query-client';
import { findByName } from '../hooks/find-users';
import type { Role } from './role-lists';

type Member = components['schemas']['PublicUserInfoDto'];
type CursorPage = components['schemas']['PublicUserCursorPageDto'];

const MAX_NAMES = 50;

const namesIn = (text: string): string[] => [...new Set(text.split(/[\s,;，；]+/).filter((name) => name !== ''))];

interface Found {
  readonly name: string;
  /** Undefined if no user has the name. */
  readonly id: string | undefined;
}

const findAll = (names: readonly string[]): Promise<Found[]> =>
  Promise.all(names.map(async (name) => ({ name, id: await findByName(name) })));

function AddMembers({ role }: { readonly role: Role }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const [text, setText] = useState('');
  const [unknown, setUnknown] = useState<readonly string[]>([]);
  const [progress, setProgress] = useState<{ done: number; count: number }>();

  /** Returns the names of the added users. Stops at the first error. */
  const addAll = async (members: readonly { name: string; id: string }[]): Promise<string[]> => {
    const added: string[] = [];
    const body = { role_ids: [role.id] };
    for (const { name, id } of members) {
      setProgress({ done: added.length, count: members.length });
      if (!(await act.run(() => api.POST('/api/user/{id}/roles', { params: { path: { id } }, body })))) break;
      added.push(name);
    }
    setProgress(undefined);
    return added;
  };
  const add = async (): Promise<void> => {
    const names = namesIn(text);
    setUnknown([]);
    const found = await act.find(() => findAll(names.slice(0, MAX_NAMES)));
    if (!found) return;
    const strangers = found.data.filter(({ id }) => id === undefined).map(({ name }) => name);
    setUnknown(strangers);
    const added = await addAll(found.data.flatMap(({ name, id }) => (id === undefined ? [] : { name, id })));
    const waiting = names.filter((name) => !added.includes(name) && !strangers.includes(name));
    // The remaining names come first: unknown names in front could fill every next batch.
    setText([...waiting, ...strangers].join('\n'));
    await queryClient.invalidateQueries({ queryKey: ['role-members', role.id] });
  };
  return (
    <Form act={act} onSubmit={add}>
      <Stack gap="xs">
        <Textarea
          label={t('roles.add_members')}
          description={t('roles.add_members_hint', { most: MAX_NAMES })}
          autosize
          minRows={2}
          value={text}
          error={unknown.length > 0 ? t('roles.unknown_names', { names: unknown.join(', ') }) : undefined}
          onChange={(event) => {
            setText(event.currentTarget.value);
          }}
        />
        <Group>
          <Button type="submit" variant="default" disabled={text.trim() === ''} loading={act.busy}>
            {t('act.add')}
          </Button>
          <Text role="status" c="dimmed">
            {progress && t('roles.adding', progress)}
          </Text>
        </Group>
      </Stack>
    </Form>
  );
}

function MemberTag({ role, member }: { readonly role: Role; readonly member: Member }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const act = useSubmit();
  const { id, username } = member;
  const remove = async (): Promise<void> => {
    const text = t('roles.remove_member_ask', { user: username, role: role.name });
    if (!(await ask({ title: t('roles.remove_member', { user: username }), text, confirm: t('act.remove') }))) return;
    const params = { path: { id, role_id: role.id } };
    if (!(await act.run(() => api.DELETE('/api/user/{id}/roles/{role_id}', { params }), t('act.saved')))) return;
    await queryClient.invalidateQueries({ queryKey: ['role-members', role.id] });
  };
  if (!may('user:admin')) return <Mark tone="plain">{username}</Mark>;
  return (
    <span className="member">
      <Anchor component={Link} to={`/admin/users/${id}`} underline="always">
        {username}
      </Anchor>
      {may('role:update') && (
        <CloseButton
          size="sm"
          aria-label={t('roles.remove_member', { user: username })}
          disabled={act.busy}
          onClick={() => void remove()}
        />
      )}
    </span>
  );
}

/** Lists the members of a role. */
export function RoleMembers({ role }: { readonly role: Role }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const members = useCursorPages<Member>(['role-members', role.id], async (cursor) => {
    const params = { path: { id: role.id }, query: { cursor } };
    const { data, error } = await api.GET('/api/role/{id}/users', { params });
    return { data: data as CursorPage, error };
  });
  return (
    <Card withBorder component="section">
      <Stack>
        <Title order={2} size="h4">
          {t('roles.users')}
        </Title>
        <Loaded query={members}>
          {(rows) => (
            <>
              {rows.length === 0 && <Text c="dimmed">{t('roles.no_members')}</Text>}
              <Group gap="xs" className="wrap">
                {rows.map((member) => (
                  <MemberTag key={member.id} role={role} member={member} />
                ))}
              </Group>
              <ShowMore more={members.more} align="flex-start" />
            </>
          )}
        </Loaded>
        {may('role:update') && may('user:admin') && <AddMembers role={role} />}
      </Stack>
    </Card>
  );
}
