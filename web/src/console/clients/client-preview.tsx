import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { api } from '../api';
import { useMe } from '../me';
import { Form } from '../../session/form';
import { Mark } from '../../session/mark';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import type { Client } from './client';
import { findByName } from '../hooks/find-users';

type Preview = components['schemas']['ClientPreviewDto'];

const PLACES = ['id_token', 'userinfo', 'access_token'] as const;

function Shown({ preview }: { readonly preview: Preview }): ReactNode {
  const { t } = useTranslation();
  return (
    <Stack className="wrap">
      <Group gap="xs">
        <Mark tone={preview.allowed ? 'good' : 'bad'}>{t(preview.allowed ? 'permissions.yes' : 'permissions.no')}</Mark>
        <Text>{preview.reason}</Text>
      </Group>
      {PLACES.filter((place) => preview[place].length > 0).map((place) => (
        <div key={place}>
          <Title order={3} size="h5">
            {place}
          </Title>
          {preview[place].map(({ name, value, reason }) => (
            <Text key={name}>
              <code>{`${name}: ${JSON.stringify(value)}`}</code>{' '}
              <Text span c="dimmed">
                {reason}
              </Text>
            </Text>
          ))}
        </div>
      ))}
    </Stack>
  );
}

interface ClientPreviewProps {
  readonly client: Client;
  readonly headers: Record<string, string>;
}

/** Shows what the tokens of a user would contain, and why. */
export function ClientPreview({ client, headers }: ClientPreviewProps): ReactNode {
  const { t } = useTranslation();
  const me = useMe();
  const act = useSubmit();
  const [name, setName] = useState(me.username);
  const [preview, setPreview] = useState<Preview>();
  const show = async (): Promise<void> => {
    setPreview(undefined);
    const user = await act.find(async () => (name === me.username ? me.id : findByName(name)));
    if (!user) return;
    if (user.data === undefined) {
      act.showMessage({ user_id: t('permissions.unknown_user', { name }) });
      return;
    }
    const options = { params: { path: { id: client.id } }, body: { user_id: user.data }, headers };
    const answer = await act.run(() => api.POST('/api/oauth/client/{id}/preview', options));
    setPreview(answer?.data);
  };
  return (
    <Section title={t('clients.preview')} lead={t('clients.preview_lead')}>
      <Form act={act} onSubmit={show}>
        <Stack>
          <TextInput
            label={t('users.username')}
            value={name}
            error={act.fields['user_id']}
            autoCapitalize="none"
            autoComplete="off"
            onChange={(event) => {
              setName(event.currentTarget.value.trim());
            }}
          />
          <Group>
            <Button type="submit" variant="default" loading={act.busy} disabled={name === ''}>
              {t('permissions.check')}
            </Button>
          </Group>
          <div role="status">{preview && <Shown preview={preview} />}</div>
        </Stack>
      </Form>
    </Section>
  );
}
