import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { timeOf } from '../../shared/time';
import type { Delivery } from './webhook-lists';

/** What the receiver answered last, or why there was no answer. */
export function DeliveryAnswer({ delivery }: { readonly delivery: Delivery }): ReactNode {
  const { t } = useTranslation();
  const { status, answer, error, attempted_at } = delivery;
  if (attempted_at === null) return '–';
  return (
    <Stack gap={2}>
      <span>
        {status === null ? t('webhooks.no_answer') : t('webhooks.answered', { status })}
        {error !== null && <code> {error}</code>}
      </span>
      {answer !== null && answer !== '' && <code className="wrap">{answer}</code>}
      <Text size="sm" c="dimmed">
        {timeOf(attempted_at)}
      </Text>
    </Stack>
  );
}
