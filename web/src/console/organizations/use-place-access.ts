import { useMay } from '../use-permission';
import { useMayThere, type Change } from './use-may-there';

/** What the user may do with the groups and roles of one organization or of the service. */
export interface PlaceAccess {
  /** Undefined for the service. */
  readonly organizationId: string | undefined;
  readonly may: (permission: Change) => boolean;
  /** The headers of a request that needs the permissions. They name the organization if one is held there only. */
  readonly headers: (...permissions: Change[]) => Record<string, string>;
}

const NONE: Record<string, string> = {};

/** @param organizationId undefined for the service */
export function usePlaceAccess(organizationId?: string): PlaceAccess {
  const may = useMay();
  const mayThere = useMayThere(organizationId);
  return {
    organizationId,
    may: organizationId === undefined ? may : mayThere,
    headers: (...permissions) =>
      organizationId === undefined || permissions.every(may) ? NONE : { 'X-Organization-Id': organizationId },
  };
}

/** The field of a query or body that names the organization of groups or roles. */
export const ofOrganization = (organizationId: string | undefined): { organization_id?: string } =>
  organizationId === undefined ? {} : { organization_id: organizationId };
