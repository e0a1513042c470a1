import { isScope, WILDCARD } from '../../../rbac';

const PREFIX = 'urn:castellan:';

/** The service with that scope, as a resource (RFC 8707). */
export const resourceOf = (scope: string): string => `${PREFIX}${scope}`;

/** The scope of the service that a resource names; undefined where it names none. */
export function serviceOf(resource: string): string | undefined {
  const scope = resource.startsWith(PREFIX) ? resource.slice(PREFIX.length) : '';
  return isScope(scope) && scope !== WILDCARD ? scope : undefined;
}
