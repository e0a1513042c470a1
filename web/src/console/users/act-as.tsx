import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { $api, api } from '../api';
import { useMay } from '../use-permission';
import { useMe } from '../me';
import { Form } from '../../session/form';
import { dropUnsaved } from '../../session/unsaved';
import { useSubmit } from '../hooks/use-submit';
import type { AdminUser } from './admin-user';

const MAX_REASON = 500;
const ENABLED = 'session.act_as_enabled';

/** Whether the setting allows it. Any user may read the setting. */
function useIsEnabled(): boolean {
  const { data } = $api.useQuery('get', '/api/setting', { params: { query: { category: 'session' } } });
  return data?.items.some(({ key, value }) => key === ENABLED && value === true) ?? false;
}

function ReasonForm({ user }: { readonly user: AdminUser }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const [reason, setReason] = useState('');
  const start = async (): Promise<void> => {
    const options = { params: { path: { id: user.id } }, body: { reason } };
    const answer = await act.run(() => api.POST('/api/user/{id}/act-as', options));
    // A new document, so that nothing of the former user remains.
    if (!answer) return;
    dropUnsaved();
    location.assign('/account');
  };
  return (
    <Form act={act} onSubmit={start}>
      <Stack>
        <Text size="sm">{t('acting.ask', { user: user.username })}</Text>
        <TextInput
          data-autofocus
          label={t('acting.reason')}
          description={t('acting.reason_hint')}
          name="reason"
          required
          maxLength={MAX_REASON}
          value={reason}
          error={act.fields['reason']}
          autoComplete="off"
          onChange={(event) => {
            setReason(event.currentTarget.value);
          }}
        />
        <Button type="submit" loading={act.busy}>
          {t('acting.start')}
        </Button>
      </Stack>
    </Form>
  );
}

/** Asks for the reason, then opens the pages as the user sees them. */
export function ActAs({ user }: { readonly user: AdminUser }): ReactNode {
  const { t } = useTranslation();
  const me = useMe();
  const may = useMay();
  const isEnabled = useIsEnabled();
  const [opened, setOpened] = useState(false);
  if (!isEnabled || !may('act_as:execute') || user.id === me.id || user.status !== 'active' || me.actor) return null;
  return (
    <>
      <Button
        variant="default"
        onClick={() => {
          setOpened(true);
        }}
      >
        {t('acting.start')}
      </Button>
      <Modal
        opened={opened}
        onClose={() => {
          setOpened(false);
        }}
        title={t('acting.start')}
      >
        <ReasonForm user={user} />
      </Modal>
    </>
  );
}
