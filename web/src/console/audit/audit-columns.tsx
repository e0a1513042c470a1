import { Anchor, Stack, VisuallyHidden } from '@mantine/core';
import type { TFunction } from 'i18next';
import { Mark } from '../../session/mark';
import type { Column } from '../components/table';
import { timeOf } from '../../shared/time';
import { AuditDetailsButton } from './audit-details-button';
import type { AuditEvent } from './audit-event';
import { AuditTarget } from './audit-target';

type AuditColumn = Column<AuditEvent>;
type User = NonNullable<AuditEvent['actor']>;

interface AuditColumns {
  readonly at: AuditColumn;
  readonly action: AuditColumn;
  /** @param onChoose called with the actor whose name was clicked; without it, names are plain texts */
  readonly actor: (onChoose?: (user: User) => void) => AuditColumn;
  readonly target: AuditColumn;
  readonly change: AuditColumn;
}

/** The columns of audit lists. */
export const auditColumns = (t: TFunction): AuditColumns => ({
  at: { name: t('audit.at'), show: (event) => timeOf(event.at), unbroken: true },
  action: {
    name: t('audit.action'),
    show: (event) => (
      <Stack gap={2} align="flex-start">
        {event.title}
        <code>{event.action}</code>
        {event.outcome !== 'success' && <Mark tone="bad">{t(`audit.${event.outcome}`)}</Mark>}
      </Stack>
    ),
  },
  actor: (onChoose) => ({
    name: t('audit.actor'),
    show: ({ actor, on_behalf_of: other }) =>
      actor ? (
        <>
          {onChoose ? (
            <Anchor
              component="button"
              inherit
              aria-label={t('audit.only_by', { user: actor.username })}
              onClick={() => {
                onChoose(actor);
              }}
            >
              {actor.username}
            </Anchor>
          ) : (
            actor.username
          )}
          {other && ` ${t('audit.on_behalf', { user: other.username })}`}
        </>
      ) : (
        '–'
      ),
  }),
  target: { name: t('audit.target'), show: ({ target }) => <AuditTarget target={target} /> },
  change: {
    name: t('audit.details'),
    head: <VisuallyHidden>{t('audit.details')}</VisuallyHidden>,
    show: (event) => <AuditDetailsButton event={event} />,
  },
});
