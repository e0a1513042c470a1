import { useMay } from '../may';
import { useMayThere } from '../organizations/use-may-there';

export type GroupPermission = 'group:read' | 'group:create' | 'group:update' | 'group:delete';

/** What the user may do with the groups of one organisation or of the service. */
export interface GroupAccess {
  /** Undefined for the groups of the service. */
  readonly organizationId: string | undefined;
  readonly may: (permission: GroupPermission) => boolean;
  /** The headers of a request that needs the permission. They name the organisation if it is held there only. */
  readonly headers: (permission: GroupPermission) => Record<string, string>;
}

const NONE: Record<string, string> = {};

/** @param organizationId undefined for the groups of the service */
export function useGroupAccess(organizationId?: string): GroupAccess {
  const may = useMay();
  const mayThere = useMayThere(organizationId);
  return {
    organizationId,
    may: organizationId === undefined ? may : mayThere,
    headers: (permission) =>
      organizationId === undefined || may(permission) ? NONE : { 'X-Organization-Id': organizationId },
  };
}
