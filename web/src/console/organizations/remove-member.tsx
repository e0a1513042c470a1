import { Button, List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { api } from '../api';
import { ask } from '../components/ask';
import { useSubmit } from '../hooks/use-submit';
import type { Organization } from './organization-lists';

interface SetUpProps {
  readonly user: string;
  readonly setUp: readonly components['schemas']['SetUpDto'][];
}

/** What stops with the membership. */
function SetUp({ user, setUp }: SetUpProps): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <Text size="sm">{t('organizations.set_up', { user })}</Text>
      <List size="sm">
        {setUp.map(({ kind, id, name }) => (
          <List.Item key={`${kind} ${id}`}>{t(`organizations.set_up_${kind}`, { name })}</List.Item>
        ))}
      </List>
    </>
  );
}

interface RemoveMemberProps {
  readonly organization: Organization;
  readonly member: { readonly id: string; readonly username: string };
  readonly onRemoved: () => Promise<void>;
}

/** Removes a member, after showing what is switched off with the membership. */
export function RemoveMember({ organization, member, onRemoved }: RemoveMemberProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const user = member.username;
  const title = t('organizations.remove_member', { user });
  const params = { path: { id: organization.id, user_id: member.id } };
  const remove = async (): Promise<void> => {
    const found = await act.run(() => api.GET('/api/organization/{id}/members/{user_id}', { params }));
    if (!found) return;
    const setUp = found.data?.set_up ?? [];
    const text = t('organizations.remove_member_ask', { user, name: organization.name });
    const details = setUp.length > 0 && <SetUp user={user} setUp={setUp} />;
    if (!(await ask({ title, text, details, confirm: t('act.remove') }))) return;
    if (await act.run(() => api.DELETE('/api/organization/{id}/members/{user_id}', { params }), t('act.saved'))) {
      await onRemoved();
    }
  };
  return (
    <Button variant="default" size="compact-sm" aria-label={title} loading={act.busy} onClick={() => void remove()}>
      {t('act.remove')}
    </Button>
  );
}
