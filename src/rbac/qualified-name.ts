/**
 * The name of a role or a permission for other systems. Names of other scopes begin with their scope, so that the
 * `admin` of two scopes never becomes one. The colon cannot occur in a role's name.
 */
export const qualifiedName = (scope: string, name: string, serviceScope: string): string =>
  scope === serviceScope ? name : `${scope}:${name}`;
