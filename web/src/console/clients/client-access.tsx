import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { api } from '../api';
import { useMay } from '../use-permission';
import { Form } from '../../session/form';
import { lineError, LinesInput } from '../components/lines-input';
import { Loaded } from '../components/loaded';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { useEdits } from '../hooks/use-edits';
import { ClientClaims } from './client-claims';
import { ClientPreview } from './client-preview';
import type { ClientPartProps } from './client';
import { findByName } from '../hooks/find-users';
import { RolePicker } from '../roles/role-picker';

type User = components['schemas']['PublicUserInfoDto'];
type AccessMode = components['schemas']['ClientAccessDto']['mode'];

interface Named {
  readonly name: string;
  readonly id: string | undefined;
}

interface ModeProps {
  readonly mode: AccessMode;
  readonly editable: boolean;
  readonly onChange: (mode: AccessMode) => void;
}

function Mode({ mode, editable, onChange }: ModeProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Radio.Group
      aria-label={t('clients.access')}
      value={mode}
      onChange={(chosen) => {
        onChange(chosen === 'restricted' ? 'restricted' : 'everybody');
      }}
    >
      <Stack gap="xs">
        <Radio value="everybody" label={t('clients.access_everybody')} disabled={!editable} />
        <Radio value="restricted" label={t('clients.access_restricted')} disabled={!editable} />
      </Stack>
    </Radio.Group>
  );
}

const named = async (name: string, users: readonly User[]): Promise<Named> => ({
  name,
  id: users.find(({ username }) => username === name)?.id ?? (await findByName(name)),
});

const unknownAmong = (all: readonly Named[]): string =>
  all.flatMap(({ name, id }) => (id === undefined ? [name] : [])).join(', ');

function Groups({ count }: { readonly count: number }): ReactNode {
  const { t } = useTranslation();
  return count > 0 && <Text size="sm">{t('clients.access_groups', { count })}</Text>;
}

function AccessForm({
  client,
  editable,
  access: place,
  onSaved,
  users,
}: ClientPartProps & { readonly users: User[] }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const { mode, role_ids } = client.access;
  const { values, change, saved } = useEdits({ mode, role_ids, names: users.map(({ username }) => username) });
  const save = async (): Promise<void> => {
    const found = await act.find(() => Promise.all(values.names.map((name) => named(name, users))));
    if (!found) return;
    const unknown = unknownAmong(found.data);
    if (unknown !== '') {
      act.showMessage({ names: t('roles.unknown_names', { names: unknown }) });
      return;
    }
    const access = {
      mode: values.mode,
      role_ids: [...values.role_ids],
      group_ids: [...client.access.group_ids],
      user_ids: found.data.flatMap(({ id = [] }) => id),
    };
    const options = {
      params: { path: { id: client.id } },
      body: { access },
      headers: place.headers('oauth_client:update'),
    };
    const answer = await act.run(() => api.PATCH('/api/oauth/client/{id}', options), t('act.saved'));
    if (!answer?.data) return;
    onSaved(answer.data);
    saved(values);
  };
  return (
    <Form act={act} onSubmit={save}>
      <Stack>
        <Mode
          mode={values.mode}
          editable={editable}
          onChange={(mode) => {
            change({ mode });
          }}
        />
        {values.mode === 'restricted' && (
          <>
            {place.organizationId === undefined && (
              <RolePicker
                ids={values.role_ids}
                editable={editable}
                onChange={(ids) => {
                  change({ role_ids: ids });
                }}
              />
            )}
            <Groups count={client.access.group_ids.length} />
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
  const { access } = props;
  return (
    <>
      <Section title={t('clients.access')} lead={t('clients.access_lead')}>
        <Access {...props} />
      </Section>
      <ClientClaims {...props} />
      {props.editable && (may('user:admin') || access.mayThere('user:admin')) && (
        <ClientPreview client={props.client} headers={access.headers('user:admin')} />
      )}
    </>
  );
}
