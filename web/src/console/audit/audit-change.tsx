import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { Difference } from '../parts/difference';

type Event = components['schemas']['AuditEntryDto'];
type State = Readonly<Record<string, unknown>>;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The changed fields of an event, each with the value before and after, its reason and where it came from. */
export function AuditChange({ event }: { readonly event: Event }): ReactNode {
  const { t } = useTranslation();
  const [before, after]: State[] = [{ ...event.before }, { ...event.after }];
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = names.filter((name) => !isSame(before?.[name], after?.[name]));
  const { reason, user_agent: browser, request_id: request } = event;
  return (
    <details>
      <summary>{t('audit.details')}</summary>
      <Stack gap="xs" mt="xs">
        {changed.map((name) => (
          <div key={name}>
            <Text size="sm" fw={600} component="code">
              {name}
            </Text>
            <Difference from={before?.[name] ?? null} to={after?.[name] ?? null} nothing={t('audit.nothing')} />
          </div>
        ))}
        {reason !== null && <Text size="sm">{t('audit.reason', { reason })}</Text>}
        {browser !== null && (
          <Text size="sm" c="dimmed">
            {browser}
          </Text>
        )}
        {request !== null && (
          <Text size="sm" c="dimmed">
            {t('audit.request', { id: request })}
          </Text>
        )}
      </Stack>
    </details>
  );
}
