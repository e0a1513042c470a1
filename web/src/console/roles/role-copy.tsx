import { Button, Group, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { ofOrganization } from '../organizations/use-place-access';
import { Form } from '../../session/form';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { useGoOn } from '../hooks/use-go-on';
import { reloadRoles, type RoleProps } from './role-lists';

interface RoleCopyProps extends RoleProps {
  /** The address of the page of a role, without the id. */
  readonly base: string;
}

/** Creates a role with the same permissions and no members, of the same organization. */
export function RoleCopy({ role, access, base }: RoleCopyProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const goOn = useGoOn();
  const [name, setName] = useState('');
  const copy = async (): Promise<void> => {
    const { scope, description, mfa_required, permissions, organization_id } = role;
    const content = { name, scope, description, mfa_required, permissions: [...permissions] };
    const body = { ...content, ...ofOrganization(organization_id) };
    const options = { body, headers: access.headers('role:create') };
    const answer = await act.run(() => api.POST('/api/role', options), t('act.saved'));
    if (!answer?.data) return;
    await reloadRoles();
    setName('');
    await goOn(`${base}/${answer.data.id}`);
  };
  return (
    <Section title={t('roles.copy')} lead={t('roles.copy_lead')}>
      <Form act={act} onSubmit={copy}>
        <Group align="flex-end">
          <TextInput
            label={t('roles.copy_name')}
            value={name}
            error={act.fields['name'] ?? act.fields['permissions']}
            autoComplete="off"
            onChange={(event) => {
              setName(event.currentTarget.value);
            }}
          />
          <Button type="submit" variant="default" loading={act.busy} disabled={name === ''}>
            {t('roles.copy_do')}
          </Button>
        </Group>
      </Form>
    </Section>
  );
}
