import { Button, Card, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { useMay } from '../use-permission';
import { ask } from '../components/ask';
import { useSubmit } from '../hooks/use-submit';
import { invalidateLists } from '../query-client';
import { usersKey, type AdminUser } from './admin-user';
import { ExportUsers } from './export-users';
import type { UserSelection } from './use-user-selection';
import { ChangeGroup, ChangeRole } from './user-memberships';

interface SelectionProps {
  readonly selection: UserSelection;
}

interface Membership {
  readonly act: 'add' | 'remove';
  readonly kind: 'role' | 'group';
}

const LABELS = {
  add: { role: 'users.add_to_role', group: 'users.add_to_group' },
  remove: { role: 'users.remove_from_role', group: 'users.remove_from_group' },
} as const;
const MAX_NAMED = 10;

/** Names the selected users, the first of many. */
function useNamed({ chosen }: UserSelection): string {
  const { t } = useTranslation();
  const names = [...chosen.values()];
  const more = names.length - MAX_NAMED;
  return [...names.slice(0, MAX_NAMED), ...(more > 0 ? [t('users.more_users', { count: more })] : [])].join(', ');
}

/** What can be done with the selected users at once. Loaded with the first selection. */
export default function UserSelectionBar({ selection }: SelectionProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const act = useSubmit();
  const [open, setOpen] = useState<Membership>();
  const users = useNamed(selection);
  const ids = [...selection.chosen.keys()];
  const finish = async (): Promise<void> => {
    setOpen(undefined);
    selection.clear();
    await invalidateLists(usersKey);
  };
  const setStatus = async (status: AdminUser['status']): Promise<void> => {
    const title = t(status === 'disabled' ? 'users.disable' : 'users.enable');
    const text = t(status === 'disabled' ? 'users.disable_many_ask' : 'users.enable_many_ask', { users });
    if (!(await ask({ title, text, confirm: title }))) return;
    const body = { user_ids: ids, status };
    if (await act.run(() => api.POST('/api/user/batch/status', { body }), t('act.saved'))) await finish();
  };
  const kinds = (['role', 'group'] as const).filter((kind) => may(`${kind}:update`) && may(`${kind}:read`));
  const memberships = (['add', 'remove'] as const).flatMap((act) => kinds.map((kind) => ({ act, kind })));
  return (
    <Card withBorder component="section" aria-label={t('users.selected')}>
      <Stack gap="sm">
        <Text size="sm">{t('users.selected_count', { count: ids.length })}</Text>
        <Group gap="xs">
          <Button variant="default" loading={act.busy} onClick={() => void setStatus('disabled')}>
            {t('users.disable')}
          </Button>
          <Button variant="default" loading={act.busy} onClick={() => void setStatus('active')}>
            {t('users.enable')}
          </Button>
          {memberships.map((membership) => {
            const isOpen = open?.act === membership.act && open.kind === membership.kind;
            return (
              <Button
                key={`${membership.act} ${membership.kind}`}
                variant="default"
                aria-expanded={isOpen}
                onClick={() => {
                  setOpen(isOpen ? undefined : membership);
                }}
              >
                {t(LABELS[membership.act][membership.kind])}
              </Button>
            );
          })}
          <ExportUsers query={{ ids: ids.join() }} label={t('users.export')} />
          <Button variant="subtle" onClick={selection.clear}>
            {t('users.clear_selection')}
          </Button>
        </Group>
        {open?.kind === 'role' && <ChangeRole key={open.act} act={open.act} ids={ids} users={users} onDone={finish} />}
        {open?.kind === 'group' && (
          <ChangeGroup key={open.act} act={open.act} ids={ids} users={users} onDone={finish} />
        )}
      </Stack>
    </Card>
  );
}
