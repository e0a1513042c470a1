import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { useMay } from '../use-permission';
import { ask } from '../components/ask';
import { SubjectLink } from '../components/subject-link';
import { timeOf } from '../../shared/time';
import { useSubmit } from '../hooks/use-submit';
import { useGoOn } from '../hooks/use-go-on';
import { useRemoveOnLeave } from '../hooks/use-remove-on-leave';
import { useNames } from '../users/use-names';
import { reloadWebhooks, showWebhook, webhookKey, type Webhook } from './webhook-lists';
import { WebhookMarks } from './webhook-marks';

interface PartProps {
  readonly webhook: Webhook;
}

/** Why the receiver gets nothing, and what to do. */
function Failure({ webhook: { enabled, disabled_reason, suspended, failing_since } }: PartProps): ReactNode {
  const { t } = useTranslation();
  if (suspended || disabled_reason === 'setter_unauthorized') {
    return (
      <Alert color="red.9" variant="outline" title={t(suspended ? 'webhooks.suspended' : 'webhooks.setter_lost')}>
        {t(suspended ? 'webhooks.suspended_hint' : 'webhooks.setter_lost_hint')}
      </Alert>
    );
  }
  if (failing_since === null) return null;
  const time = timeOf(failing_since);
  return (
    <Alert color="red.9" variant="outline" title={t(enabled ? 'webhooks.fails' : 'webhooks.gave_up', { time })}>
      {t(enabled ? 'webhooks.fails_hint' : 'webhooks.gave_up_hint')}
    </Alert>
  );
}

/** For whom it sends. */
function Setter({ webhook: { set_by } }: PartProps): ReactNode {
  const { t } = useTranslation();
  const names = useNames([set_by]);
  return (
    <Text size="sm" c="dimmed">
      {set_by === null ? (
        t('webhooks.without_setter')
      ) : (
        <>
          {t('webhooks.set_by')} <SubjectLink type="user" id={set_by} name={names.get(set_by)} />
        </>
      )}
    </Text>
  );
}

/** Enabling one that is suspended takes it over. */
function Toggle({ webhook: { id, name, enabled, suspended } }: PartProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const isSending = enabled && !suspended;
  const toggle = async (): Promise<void> => {
    const title = t(isSending ? 'clients.disable' : 'clients.enable');
    if (isSending && !(await ask({ title, text: t('webhooks.disable_ask', { name }), confirm: title }))) return;
    const options = { params: { path: { id } }, body: { enabled: !isSending } };
    const answer = await act.run(() => api.PATCH('/api/webhook/{id}', options), t('act.saved'));
    if (answer?.data) await showWebhook(answer.data);
  };
  return (
    <Button variant="default" loading={act.busy} onClick={() => void toggle()}>
      {t(isSending ? 'clients.disable' : 'clients.enable')}
    </Button>
  );
}

function Delete({ webhook: { id, name } }: PartProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const goOn = useGoOn();
  const removeOnLeave = useRemoveOnLeave(webhookKey(id));
  const remove = async (): Promise<void> => {
    const title = t('webhooks.delete');
    if (!(await ask({ title, text: t('webhooks.delete_ask', { name }), confirm: title }))) return;
    const params = { path: { id } };
    if (!(await act.run(() => api.DELETE('/api/webhook/{id}', { params }), t('webhooks.deleted')))) return;
    await reloadWebhooks();
    removeOnLeave();
    await goOn('/admin/webhooks', { replace: true });
  };
  return (
    <Button
      variant="default"
      className="danger"
      leftSection={<Trash2 />}
      loading={act.busy}
      onClick={() => void remove()}
    >
      {t('webhooks.delete')}
    </Button>
  );
}

/** State of a webhook, and what changes it. */
export function WebhookState({ webhook }: PartProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  return (
    <Stack>
      <WebhookMarks webhook={webhook} />
      <Text size="sm" c="dimmed">
        {webhook.last_success_at === null
          ? t('webhooks.never_succeeded')
          : t('webhooks.succeeded', { time: timeOf(webhook.last_success_at) })}
      </Text>
      <Setter webhook={webhook} />
      <Failure webhook={webhook} />
      <Group>
        {may('webhook:update') && may('event:read') && <Toggle webhook={webhook} />}
        {may('webhook:delete') && <Delete webhook={webhook} />}
      </Group>
    </Stack>
  );
}
