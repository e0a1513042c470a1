import { $api } from '../api';

/** What the pages of an organization can change. */
const CHANGES = [
  'organization:update',
  'organization:delete',
  'organization_member:read',
  'organization_member:update',
  'invitation:read',
  'invitation:create',
  'invitation:delete',
  'organization_domain:update',
  'group:read',
  'group:create',
  'group:update',
  'group:delete',
  'role:read',
  'role:create',
  'role:update',
  'role:delete',
  'oauth_client:read',
  'oauth_client:create',
  'oauth_client:update',
  'oauth_client:delete',
  'audit:read',
  'user:admin',
] as const;
export type Change = (typeof CHANGES)[number];

/**
 * Asks the service what the user may do in the organization, because the own account lists only what holds everywhere.
 * Nothing without an organization.
 */
export function useMayThere(organizationId: string | undefined): (change: Change) => boolean {
  const there: { organization_id?: string } = organizationId === undefined ? {} : { organization_id: organizationId };
  const checks = CHANGES.map((permission) => ({ permission_id: permission, ...there }));
  const options = { enabled: organizationId !== undefined };
  const { data } = $api.useQuery('post', '/api/permission/check', { body: { checks } }, options);
  return (change) => data?.results[CHANGES.indexOf(change)]?.allowed === true;
}
