import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useMay } from '../use-permission';

interface Place {
  readonly permission: string;
  readonly path: (id: string) => string;
}

const below =
  (list: string) =>
  (id: string): string =>
    `/admin/${list}/${id}`;
const client: Place = { permission: 'oauth_client:read', path: below('clients') };

/** Pages of subjects by type. The audit log and the events name applications differently. */
const places: Readonly<Record<string, Place>> = {
  user: { permission: 'user:admin', path: below('users') },
  role: { permission: 'role:read', path: below('roles') },
  group: { permission: 'group:read', path: below('groups') },
  organization: { permission: 'organization:read', path: below('organizations') },
  client,
  oauth_client: client,
  oauth_provider: { permission: 'oauth_provider:read', path: below('providers') },
  webhook: { permission: 'webhook:read', path: below('webhooks') },
  setting: { permission: 'setting:read', path: (key) => `/admin/settings?keyword=${encodeURIComponent(key)}` },
  signing_key: { permission: 'signing_key:read', path: () => '/admin/signing-keys' },
};

interface SubjectLinkProps {
  readonly type: string;
  readonly id: string | null;
  readonly name: string | null | undefined;
}

/** The type and the name or id of a subject, with a link to its page for those who may see it. */
export function SubjectLink({ type, id, name }: SubjectLinkProps): ReactNode {
  const may = useMay();
  const place = places[type];
  const shown = name ?? id;
  return (
    <>
      <Text span size="sm" c="dimmed">
        {type}
      </Text>{' '}
      {id !== null && place && may(place.permission) ? (
        <Anchor component={Link} to={place.path(id)} underline="always" inherit>
          {shown}
        </Anchor>
      ) : (
        shown
      )}
    </>
  );
}
