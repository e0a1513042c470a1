import { Button, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { Mark } from '../../session/mark';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { DeliveryAnswer } from './delivery-answer';
import { reloadDeliveries, type Delivery, type Webhook } from './webhook-lists';

/** Sends a test event, and shows the receiver's answer. */
export function WebhookTest({ webhook: { id } }: { readonly webhook: Webhook }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const [result, setResult] = useState<Delivery>();
  const test = async (): Promise<void> => {
    setResult(undefined);
    const params = { path: { id } };
    const answer = await act.run(() => api.POST('/api/webhook/{id}/test', { params }));
    setResult(answer?.data);
    await reloadDeliveries(id);
  };
  return (
    <Section title={t('webhooks.test')} lead={t('webhooks.test_lead')}>
      <Group>
        <Button variant="default" loading={act.busy} onClick={() => void test()}>
          {t('webhooks.send_test')}
        </Button>
        <Text size="sm" c="dimmed" flex={1} miw={220}>
          {t('webhooks.test_hint')}
        </Text>
      </Group>
      <div role="status">
        {result && (
          <Stack gap="xs" align="flex-start">
            <Mark tone={result.state === 'delivered' ? 'good' : 'bad'}>{t(`webhooks.state_${result.state}`)}</Mark>
            <DeliveryAnswer delivery={result} />
          </Stack>
        )}
      </div>
    </Section>
  );
}
