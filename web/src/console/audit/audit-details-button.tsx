import { Button } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { timeOf } from '../../shared/time';
import type { AuditEvent } from './audit-event';

const AuditDetails = lazy(async () => ({ default: (await import('./audit-details')).AuditDetails }));

/** Opens the details of an audit event. */
export function AuditDetailsButton({ event }: { readonly event: AuditEvent }): ReactNode {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<boolean>();
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t('audit.details_of', { event: event.title, time: timeOf(event.at) })}
        onClick={() => {
          setOpened(true);
        }}
      >
        {t('audit.details')}
      </Button>
      <Suspense>
        {opened !== undefined && (
          <AuditDetails
            event={event}
            opened={opened}
            onClose={() => {
              setOpened(false);
            }}
          />
        )}
      </Suspense>
    </>
  );
}
