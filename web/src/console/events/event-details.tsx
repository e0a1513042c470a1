import { Code, Drawer, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { timeOf } from '../../shared/time';
import { ParticipantName, type FeedEvent } from './participant-name';
import { useEventTitle } from './use-event-title';

interface EventDetailsProps {
  readonly event: FeedEvent;
  readonly onClose: () => void;
}

/** Shows all of an event beside the list. */
export function EventDetails({ event, onClose }: EventDetailsProps): ReactNode {
  const { t } = useTranslation();
  const titleOf = useEventTitle();
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={titleOf(event.type)}
      closeButtonProps={{ 'aria-label': t('act.close') }}
    >
      <Stack className="wrap">
        <Text>{timeOf(event.at)}</Text>
        <Text>
          {t('audit.actor')}: <ParticipantName participant={event.actor} />
        </Text>
        <Text>
          {t('audit.target')}: <ParticipantName participant={event.subject} />
        </Text>
        <Code block tabIndex={0}>
          {JSON.stringify(event, null, 2)}
        </Code>
      </Stack>
    </Drawer>
  );
}
