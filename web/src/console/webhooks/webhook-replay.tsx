import { Button, Group, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { ask } from '../components/ask';
import { Form } from '../../session/form';
import { Section } from '../components/section';
import { timeOf } from '../../shared/time';
import { useSubmit } from '../hooks/use-submit';
import { reloadDeliveries, type Webhook } from './webhook-lists';

/** Delivers the events since a time again. */
export function WebhookReplay({ webhook: { id } }: { readonly webhook: Webhook }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const [from, setFrom] = useState('');
  const replay = async (): Promise<void> => {
    const at = new Date(from);
    const title = t('webhooks.replay');
    const text = t('webhooks.replay_ask', { time: timeOf(at.toISOString()) });
    if (!(await ask({ title, text, confirm: title }))) return;
    const options = { params: { path: { id } }, body: { from: at.toISOString() } };
    if (!(await act.run(() => api.POST('/api/webhook/{id}/replay', options), t('webhooks.replayed')))) return;
    setFrom('');
    await reloadDeliveries(id);
  };
  return (
    <Section title={t('webhooks.replay')} lead={t('webhooks.replay_lead')}>
      <Form act={act} onSubmit={replay}>
        <Group align="flex-end">
          <TextInput
            type="datetime-local"
            label={t('list.from')}
            value={from}
            error={act.fields['from']}
            onChange={(event) => {
              setFrom(event.currentTarget.value);
            }}
          />
          <Button type="submit" variant="default" loading={act.busy} disabled={Number.isNaN(Date.parse(from))}>
            {t('webhooks.replay')}
          </Button>
        </Group>
      </Form>
    </Section>
  );
}
