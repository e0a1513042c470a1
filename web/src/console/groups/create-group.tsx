import { Button, Group as Row, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { api } from '../api';
import { ofOrganization, type PlaceAccess } from '../organizations/use-place-access';
import { Form } from '../../session/form';
import { useSubmit } from '../hooks/use-submit';
import { reloadGroups } from './group-lists';

interface CreateGroupProps {
  readonly access: PlaceAccess;
  /** The address of the page of a group, without the id. */
  readonly base: string;
}

/** Creates a group by its name, and opens its page. */
export function CreateGroup({ access, base }: CreateGroupProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const go = useNavigate();
  const [name, setName] = useState('');
  const create = async (): Promise<void> => {
    const body = { name, ...ofOrganization(access.organizationId) };
    const options = { body, headers: access.headers('group:create') };
    const answer = await act.run(() => api.POST('/api/group', options), t('act.saved'));
    if (!answer?.data) return;
    await reloadGroups();
    await go(`${base}/${answer.data.id}`);
  };
  return (
    <Form act={act} onSubmit={create}>
      <Row align="flex-end">
        <TextInput
          label={t('groups.new')}
          value={name}
          error={act.fields['name']}
          autoComplete="off"
          onChange={(event) => {
            setName(event.currentTarget.value);
          }}
        />
        <Button type="submit" variant="default" loading={act.busy} disabled={name === ''}>
          {t('act.add')}
        </Button>
      </Row>
    </Form>
  );
}
