import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { components } from '../../api/schema';
import { useMay } from '../may';

export type FeedEvent = components['schemas']['FeedEventDto'];
type Participant = NonNullable<FeedEvent['subject']>;

interface Place {
  readonly permission: string;
  readonly path: (id: string) => string;
}

const below =
  (list: string) =>
  (id: string): string =>
    `/admin/${list}/${id}`;
const places: Readonly<Record<string, Place>> = {
  user: { permission: 'user:admin', path: below('users') },
  role: { permission: 'role:read', path: below('roles') },
  group: { permission: 'group:read', path: below('groups') },
  client: { permission: 'oauth_client:read', path: below('clients') },
  webhook: { permission: 'webhook:read', path: below('webhooks') },
  setting: { permission: 'setting:read', path: () => '/admin/settings' },
  signing_key: { permission: 'signing_key:read', path: () => '/admin/signing-keys' },
};

/** Name or id of an actor or a subject, with a link to its page. */
export function ParticipantName({ participant }: { readonly participant: Participant | null }): ReactNode {
  const may = useMay();
  if (!participant) return '–';
  const { type, id, name } = participant;
  const place = places[type];
  const shown = name ?? id;
  return (
    <>
      <Text span size="sm" c="dimmed">
        {type}
      </Text>{' '}
      {place && may(place.permission) ? (
        <Anchor component={Link} to={place.path(id)} underline="always" inherit>
          {shown}
        </Anchor>
      ) : (
        shown
      )}
    </>
  );
}
