/**
 * The name of a role or a permission for other systems. Names of other scopes begin with their scope, so that the
 * `admin` of two scopes never becomes one. The colon cannot occur in a role's name.
 */
export const qualifiedName = (scope: string, name: string, serviceScope: string): string =>
  scope === serviceScope ? name : `${scope}:${name}`;

/**
 * The qualified name of a role of an organisation. The slash cannot occur in a scope or a name, so that no organisation can
 * name a role like one of the service, and applications take one for the other.
 */
export const nameOfOwnRole = (name: string): string => `organization/${name}`;
