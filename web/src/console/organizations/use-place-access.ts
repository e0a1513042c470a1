import { useMay } from '../may';
import { useMayThere, type Change } from './use-may-there';

/** What the user may do with the groups and roles of one organisation or of the service. */
export interface PlaceAccess {
  /** Undefined for the service. */
  readonly organizationId: string | undefined;
  readonly may: (permission: Change) => boolean;
  /** The headers of a request that needs the permission. They name the organisation if it is held there only. */
  readonly headers: (permission: Change) => Record<string, string>;
}

const NONE: Record<string, string> = {};

/** @param organizationId undefined for the service */
export function usePlaceAccess(organizationId?: string): PlaceAccess {
  const may = useMay();
  const mayThere = useMayThere(organizationId);
  return {
    organizationId,
    may: organizationId === undefined ? may : mayThere,
    headers: (permission) =>
      organizationId === undefined || may(permission) ? NONE : { 'X-Organization-Id': organizationId },
  };
}

/** The field of a query or body that names the organisation of groups or roles. */
export const ofOrganization = (organizationId: string | undefined): { organization_id?: string } =>
  organizationId === undefined ? {} : { organization_id: organizationId };
