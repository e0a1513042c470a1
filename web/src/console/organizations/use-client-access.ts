import { useLocation, useParams } from 'react-router';
import { useMay } from '../use-permission';
import { useMayThere } from './use-may-there';

type ClientPermission = 'oauth_client:read' | 'oauth_client:create' | 'oauth_client:update' | 'oauth_client:delete';

/** What the user may do with the applications of the organization that the address names, or of the service. */
export interface ClientAccess {
  /** Undefined on the pages of the service. */
  readonly organizationId: string | undefined;
  /** The address of the list that the user comes from. */
  readonly list: string;
  /** The address of the page of an application, without the id. */
  readonly base: string;
  /** Whether the user may do so as an administrator of the organization. False on the pages of the service. */
  readonly mayThere: (permission: ClientPermission | 'user:admin') => boolean;
  /** The headers of a request that needs the permission. They name the organization if it is held there only. */
  readonly headers: (permission: ClientPermission | 'user:admin') => Record<string, string>;
}

const NONE: Record<string, string> = {};

export function useClientAccess(): ClientAccess {
  const { organization } = useParams();
  const root = useLocation().pathname.startsWith('/admin') ? '/admin' : '/account';
  const may = useMay();
  const mayThere = useMayThere(organization);
  const place = organization === undefined ? undefined : `${root}/organizations/${organization}`;
  return {
    organizationId: organization,
    list: place ?? '/admin/clients',
    base: `${place ?? '/admin'}/clients`,
    // A user who could change a client acts for the organization.
    mayThere: (permission) => mayThere(permission) && mayThere('organization:update'),
    headers: (permission) =>
      organization === undefined || may(permission) ? NONE : { 'X-Organization-Id': organization },
  };
}
