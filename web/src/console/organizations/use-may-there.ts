import { $api } from '../api';

/** What the pages of an organisation can change. */
const CHANGES = [
  'organization:update',
  'organization:delete',
  'organization_member:read',
  'organization_member:update',
  'invitation:read',
  'invitation:create',
  'invitation:delete',
  'organization_domain:update',
] as const;
export type Change = (typeof CHANGES)[number];

/** Asks the service what the user may do in the organisation, because the own account lists only what holds everywhere. */
export function useMayThere(organizationId: string): (change: Change) => boolean {
  const checks = CHANGES.map((permission) => ({ permission_id: permission, organization_id: organizationId }));
  const { data } = $api.useQuery('post', '/api/permission/check', { body: { checks } });
  return (change) => data?.results[CHANGES.indexOf(change)]?.allowed === true;
}
