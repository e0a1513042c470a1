import { Button, Group as Row, NativeSelect, Pill, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { useRoleChoice } from '../organizations/use-role-choice';
import { ask } from '../components/ask';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { useUnsaved } from '../../session/unsaved';
import { showGroup, type GroupProps } from './group-lists';

/** The roles of the group itself. */
export function GroupRoles({ group, access }: GroupProps): ReactNode {
  const { t } = useTranslation();
  const { may, headers } = access;
  const act = useSubmit();
  const { nameOf, optionsWithout } = useRoleChoice(access.organizationId, may('group:update'));
  const [added, setAdded] = useState('');
  useUnsaved(added !== '');
  const set = async (roleIds: string[]): Promise<void> => {
    const params = { path: { id: group.id } };
    const options = { params, body: { role_ids: roleIds }, headers: headers('group:update') };
    const answer = await act.run(() => api.PATCH('/api/group/{id}', options), t('act.saved'));
    if (!answer?.data) return;
    setAdded('');
    await showGroup(answer.data);
  };
  const remove = async (id: string): Promise<void> => {
    const title = t('users.take_role', { role: nameOf(id) });
    if (!(await ask({ title, text: t('groups.remove_role_ask'), confirm: t('act.remove') }))) return;
    await set(group.role_ids.filter((other) => other !== id));
  };
  return (
    <Section title={t('nav.roles')} lead={t('groups.roles_lead')}>
      {group.role_ids.length === 0 && <Text c="dimmed">{t('users.no_roles')}</Text>}
      <Row gap="xs">
        {group.role_ids.map((id) => (
          <Pill
            key={id}
            size="lg"
            withRemoveButton={may('group:update')}
            removeButtonProps={{
              'aria-label': t('users.take_role', { role: nameOf(id) }),
              'aria-hidden': false,
              tabIndex: 0,
            }}
            onRemove={() => void remove(id)}
          >
            {nameOf(id)}
          </Pill>
        ))}
      </Row>
      {may('group:update') && (
        <Row align="flex-end">
          <NativeSelect
            label={t('users.add_role')}
            value={added}
            data={[{ value: '', label: '' }, ...optionsWithout(group.role_ids)]}
            onChange={(event) => {
              setAdded(event.currentTarget.value);
            }}
          />
          <Button
            variant="default"
            disabled={added === ''}
            loading={act.busy}
            onClick={() => void set([...group.role_ids, added])}
          >
            {t('act.add')}
          </Button>
        </Row>
      )}
    </Section>
  );
}
