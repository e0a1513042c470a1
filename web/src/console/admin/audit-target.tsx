import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { components } from '../../api/schema';

type Target = NonNullable<components['schemas']['AuditEntryDto']['target']>;

/** Pages of targets by type. */
const pages: Readonly<Record<string, (id: string) => string>> = {
  user: (id) => `/admin/users/${id}`,
  role: (id) => `/admin/roles/${id}`,
  group: (id) => `/admin/groups/${id}`,
  organization: (id) => `/admin/organizations/${id}`,
  oauth_client: (id) => `/admin/clients/${id}`,
  oauth_provider: (id) => `/admin/providers/${id}`,
  webhook: (id) => `/admin/webhooks/${id}`,
  setting: (id) => `/admin/settings?keyword=${encodeURIComponent(id)}`,
};

/** What an action was done to, with a link to its page. */
export function AuditTarget({ target }: { readonly target: Target | null }): ReactNode {
  if (!target) return '–';
  const { type, id, label } = target;
  const name = label ?? id;
  const page = pages[type];
  if (id === null || !page) return `${type} ${name ?? ''}`;
  return (
    <>
      {type}{' '}
      <Anchor component={Link} to={page(id)} inherit underline="always">
        {name}
      </Anchor>
    </>
  );
}
