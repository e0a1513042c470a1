import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { api } from '../api';
import { useMay } from '../may';
import { Form } from '../parts/form';
import { lineError, LinesInput } from '../parts/lines-input';
import { Loaded } from '../parts/loaded';
import { Section } from '../parts/section';
import { useAct } from '../parts/use-act';
import { useEdits } from '../parts/use-edits';
import { ClientClaims } from './client-claims';
import { ClientPreview } from './client-preview';
import type { ClientPartProps } from './client';
import { findByName } from '../users/find-users';
import { RolePicker } from '../roles/role-picker';

type User = components['schemas']['PublicUserInfoDto'];

interface Named {
  readonly name: string;
  readonly id: string | undefined;
}

function AccessForm({ client, editable, onSaved, users }: ClientPartProps & { readonly users: User[] }): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const { mode, role_ids } = client.access;
  const { values, change, saved } = useEdits({ mode, role_ids, names: users.map(({ username }) => username) });
  const idOf = async (name: string): Promise<Named> => ({
    name,
    id: users.find(({ username }) => username === name)?.id ?? (await findByName(name)),
  });
  const save = async (): Promise<void> => {
    const found = await act.find(() => Promise.all(values.names.map(idOf)));
    if (!found) return;
    const unknown = found.data.filter(({ id }) => id === undefined).map(({ name }) => name);
    if (unknown.length > 0) {
      act.showMessage({ names: t('roles.unknown_names', { names: unknown.join(', ') }) });
      return;
    }
    const access = {
      mode: values.mode,
      role_ids: [...values.role_ids],
      group_ids: [...client.access.group_ids],
      user_ids: found.data.flatMap(({ id = [] }) => id),
    };
    const options = { params: { path: { id: client.id } }, body: { access } };
    const answer = await act.run(() => api.PATCH('/api/oauth/client/{id}', options), t('act.saved'));
    if (!answer?.data) return;
    onSaved(answer.data);
    saved(values);
  };
  return (
    <Form act={act} onSubmit={save}>
      <Stack>
        <Radio.Group
          aria-label={t('clients.access')}
          value={values.mode}
          onChange={(chosen) => {
            change({ mode: chosen === 'restricted' ? 'restricted' : 'everybody' });
          }}
        >
          <Stack gap="xs">
            <Radio value="everybody" label={t('clients.access_everybody')} disabled={!editable} />
            <Radio value="restricted" label={t('clients.access_restricted')} disabled={!editable} />
          </Stack>
        </Radio.Group>
        {values.mode === 'restricted' && (
          <>
            <RolePicker
              ids={values.role_ids}
              editable={editable}
              onChange={(ids) => {
                change({ role_ids: ids });
              }}
            />
            {client.access.group_ids.length > 0 && (
              <Text size="sm">{t('clients.access_groups', { count: client.access.group_ids.length })}</Text>
            )}
            <LinesInput
              label={t('nav.users')}
              description={t('clients.access_users_hint')}
              value={values.names}
              error={act.fields['names'] ?? lineError(act.fields, 'access.user_ids')}
              disabled={!editable}
              onChange={(names) => {
                change({ names });
              }}
            />
          </>
        )}
        {editable && (
          <Group>
            <Button type="submit" loading={act.busy}>
              {t('clients.access_save')}
            </Button>
          </Group>
        )}
      </Stack>
    </Form>
  );
}

function Access(props: ClientPartProps): ReactNode {
  const { user_ids: ids } = props.client.access;
  const query = useQuery({
    queryKey: ['client-users', ...ids],
    queryFn: async (): Promise<User[]> => {
      if (ids.length === 0) return [];
      const { data, error } = await api.POST('/api/auth/users', { body: { ids } });
      if (!data) throw error as unknown;
      return data;
    },
  });
  return <Loaded query={query}>{(users) => <AccessForm {...props} users={users} />}</Loaded>;
}

/** Who may use an application, what it learns, and a preview. Loaded after the page, which is large without it. */
export default function ClientAccess(props: ClientPartProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  return (
    <>
      <Section title={t('clients.access')} lead={t('clients.access_lead')}>
        <Access {...props} />
      </Section>
      <ClientClaims {...props} />
      {props.editable && may('user:admin') && <ClientPreview client={props.client} />}
    </>
  );
}
