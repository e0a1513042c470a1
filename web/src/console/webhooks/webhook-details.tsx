import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { useMay } from '../use-permission';
import { changesOf } from '../hooks/changes';
import { Form } from '../../session/form';
import { SaveRow } from '../components/save-row';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { useEdits } from '../hooks/use-edits';
import { WebhookFields } from './webhook-fields';
import { showWebhook, type Webhook } from './webhook-lists';
import { valuesOf, webhookBody } from './webhook-values';

export function WebhookDetails({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const act = useSubmit();
  const stored = valuesOf(webhook);
  const { values, change, saved } = useEdits(stored);
  const editable = may('webhook:update');
  const body = changesOf(webhookBody(stored), webhookBody(values));
  const save = async (): Promise<void> => {
    const options = { params: { path: { id: webhook.id } }, body };
    const answer = await act.run(() => api.PATCH('/api/webhook/{id}', options), t('act.saved'));
    if (!answer?.data) return;
    await showWebhook(answer.data);
    saved(values);
  };
  return (
    <Section title={t('clients.about')}>
      <Form act={act} onSubmit={save}>
        <Stack>
          <WebhookFields
            values={values}
            errors={act.fields}
            editable={editable}
            canSend={may('event:read')}
            onChange={change}
          />
          {editable && <SaveRow act={act} body={body} />}
        </Stack>
      </Form>
    </Section>
  );
}
