import { Anchor, Button, Card, CloseButton, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { components } from '../../api/schema';
import { api } from '../api';
import { useMay } from '../may';
import { ask } from '../parts/ask';
import { Loaded } from '../parts/loaded';
import { Mark } from '../parts/mark';
import { useAct } from '../parts/use-act';
import { useStretches } from '../parts/use-stretches';
import { queryClient } from '../query-client';
import { findByName } from './find-users';
import type { Role } from './roles-page';

type Member = components['schemas']['PublicUserInfoDto'];
type Stretch = components['schemas']['PublicUserStretchDto'];

const MOST_NAMES = 50;

/** The users of pasted names; a name nobody has is told of. */
async function findByNames(names: readonly string[]): Promise<{ ids: string[]; unknown: string[] }> {
  const found = await Promise.all(names.map(findByName));
  return {
    ids: found.filter((id) => id !== undefined),
    unknown: names.filter((_, index) => found[index] === undefined),
  };
}

function AddMembers({ role }: { readonly role: Role }): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const [text, setText] = useState('');
  const [unknown, setUnknown] = useState<readonly string[]>([]);
  const [progress, setProgress] = useState<{ done: number; count: number }>();
  const add = async (): Promise<void> => {
    const names = [...new Set(text.split(/[\s,;，；]+/).filter((name) => name.length > 1))].slice(0, MOST_NAMES);
    const found = await findByNames(names);
    setUnknown(found.unknown);
    const body = { role_ids: [role.id] };
    for (const [done, id] of found.ids.entries()) {
      setProgress({ done, count: found.ids.length });
      if (!(await act.run(() => api.POST('/api/user/{id}/roles', { params: { path: { id } }, body })))) break;
    }
    setProgress(undefined);
    setText(found.unknown.join('\n'));
    await queryClient.invalidateQueries({ queryKey: ['role-members', role.id] });
  };
  return (
    <Stack gap="xs">
      <Textarea
        label={t('roles.add_members')}
        description={t('roles.add_members_hint', { most: MOST_NAMES })}
        autosize
        minRows={2}
        value={text}
        error={unknown.length > 0 ? t('roles.unknown_names', { names: unknown.join(', ') }) : undefined}
        onChange={(event) => {
          setText(event.currentTarget.value);
        }}
      />
      <Group>
        <Button variant="default" disabled={text.trim() === ''} loading={act.busy} onClick={() => void add()}>
          {t('act.add')}
        </Button>
        <Text role="status" c="dimmed">
          {progress && t('roles.adding', progress)}
        </Text>
      </Group>
    </Stack>
  );
}

function MemberTag({ role, member }: { readonly role: Role; readonly member: Member }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const act = useAct();
  const { id, username } = member;
  const remove = async (): Promise<void> => {
    const text = t('roles.remove_member_ask', { user: username });
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

/** Who is in a role. */
export function RoleMembers({ role }: { readonly role: Role }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const members = useStretches<Member>(['role-members', role.id], async (cursor) => {
    const params = { path: { id: role.id }, query: { cursor } as never };
    const { data, error } = await api.GET('/api/role/{id}/users', { params });
    return { data: data as Stretch, error };
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
              {members.more && (
                <Group>
                  <Button variant="default" loading={members.more.loading} onClick={members.more.load}>
                    {t('list.more')}
                  </Button>
                </Group>
              )}
            </>
          )}
        </Loaded>
        {may('role:update') && may('user:admin') && <AddMembers role={role} />}
      </Stack>
    </Card>
  );
}
