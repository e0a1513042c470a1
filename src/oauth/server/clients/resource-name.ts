import { isScope, WILDCARD } from '../../../rbac';

const PREFIX = 'urn:castellan:';

/** The resource indicator (RFC 8707) of the service with that scope. */
export const resourceOf = (scope: string): string => `${PREFIX}${scope}`;

/** The scope of the service that a resource indicator names. Undefined if it names none. */
export function serviceOf(resource: string): string | undefined {
  const scope = resource.startsWith(PREFIX) ? resource.slice(PREFIX.length) : '';
  return isScope(scope) && scope !== WILDCARD ? scope : undefined;
}
