import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { components } from '../../api/schema';
import { api } from '../api';
import { Form } from '../../session/form';
import { Page } from '../components/page';
import { Section } from '../components/section';
import { ShownSecret } from '../components/shown-secret';
import { useSubmit } from '../hooks/use-submit';
import { WebhookFields } from './webhook-fields';
import { reloadWebhooks } from './webhook-lists';
import { newWebhook, webhookBody } from './webhook-values';

type Created = components['schemas']['CreatedWebhookDto'];

function CreatedWebhook({ webhook }: { readonly webhook: Created }): ReactNode {
  const { t } = useTranslation();
  const isSigned = webhook.format !== 'caep';
  return (
    <Page title={webhook.name} lead={t(isSigned ? 'webhooks.created' : 'webhooks.created_caep')}>
      {isSigned && <ShownSecret secret={webhook.secret} hint={t('webhooks.secret_once_hint')} />}
      <Group>
        <Button component={Link} to={`/admin/webhooks/${webhook.id}`}>
          {t('webhooks.go_on')}
        </Button>
      </Group>
    </Page>
  );
}

export function NewWebhookPage(): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const [values, setValues] = useState(newWebhook);
  const [enabled, setEnabled] = useState(true);
  const [created, setCreated] = useState<Created>();
  const create = async (): Promise<void> => {
    const answer = await act.run(() => api.POST('/api/webhook', { body: { ...webhookBody(values), enabled } }));
    if (!answer?.data) return;
    await reloadWebhooks();
    setCreated(answer.data);
  };
  if (created) return <CreatedWebhook webhook={created} />;
  return (
    <Page title={t('webhooks.add')} lead={t('webhooks.add_lead')}>
      <Form act={act} onSubmit={create}>
        <Stack gap="lg">
          <Section title={t('clients.about')}>
            <WebhookFields
              isNew
              values={values}
              errors={act.fields}
              editable
              canSend
              onChange={(change) => {
                setValues((before) => ({ ...before, ...change }));
              }}
            />
          </Section>
          <Checkbox
            label={t('clients.enabled')}
            description={t('webhooks.enabled_hint')}
            checked={enabled}
            onChange={(event) => {
              setEnabled(event.currentTarget.checked);
            }}
          />
          <Group>
            <Button type="submit" loading={act.busy}>
              {t('webhooks.add')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Page>
  );
}
