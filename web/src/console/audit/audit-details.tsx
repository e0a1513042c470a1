import { Drawer, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Difference } from '../components/difference';
import { Mark } from '../../session/mark';
import { timeOf } from '../../shared/time';
import type { AuditEvent } from './audit-event';
import { AuditTarget } from './audit-target';

type State = Readonly<Record<string, unknown>>;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The changed fields, each with the value before and after. */
function Changes({ event }: { readonly event: AuditEvent }): ReactNode {
  const { t } = useTranslation();
  const [before, after]: State[] = [{ ...event.before }, { ...event.after }];
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = names.filter((name) => !isSame(before?.[name], after?.[name]));
  return changed.map((name) => (
    <div key={name}>
      <Text size="sm" fw={600} component="code">
        {name}
      </Text>
      <Difference from={before?.[name] ?? null} to={after?.[name] ?? null} nothing={t('audit.nothing')} />
    </div>
  ));
}

/** Who did it to what, when and from where. */
function Facts({ event }: { readonly event: AuditEvent }): ReactNode {
  const { t } = useTranslation();
  const { actor, on_behalf_of: other } = event;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('audit.at'), timeOf(event.at)],
    [t('audit.action'), <code key="action">{event.action}</code>],
    [
      t('audit.outcome'),
      <Mark key="outcome" tone={event.outcome === 'success' ? 'good' : 'bad'}>
        {t(`audit.${event.outcome}`)}
      </Mark>,
    ],
    [t('audit.actor'), actor ? actor.username : '–'],
    [t('audit.acting_as'), other?.username],
    [t('audit.target'), <AuditTarget key="target" target={event.target} />],
    [t('audit.from'), event.ip],
    [t('audit.browser'), event.user_agent],
    [t('audit.request_id'), event.request_id],
    [t('audit.given_reason'), event.reason],
  ];
  const known = facts.filter(([, fact]) => fact !== null && fact !== undefined);
  return (
    <Table withRowBorders={false} verticalSpacing={4}>
      <Table.Tbody>
        {known.map(([name, fact]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td className="wrap">{fact}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface AuditDetailsProps {
  readonly event: AuditEvent;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Shows all of an audit event beside the list. */
export function AuditDetails({ event, opened, onClose }: AuditDetailsProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size="lg"
      title={event.title}
      closeButtonProps={{ 'aria-label': t('act.close') }}
    >
      <Stack>
        <Facts event={event} />
        <Changes event={event} />
      </Stack>
    </Drawer>
  );
}
