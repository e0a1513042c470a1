/**
 * The name of a role or a permission for other systems. Names of other scopes begin with their scope, so that the
 * `admin` of two scopes never becomes one. The colon cannot occur in a role's name.
 */
export const qualifiedName = (scope: string, name: string, serviceScope: string): string =>
  scope === serviceScope ? name : `${scope}:${name}`;

const OF_ORGANIZATION = 'organization/';

/**
 * The qualified name of a role of an organization. The slash cannot occur in a scope or a name, so that no organization can
 * name a role like one of the service, and applications take one for the other.
 */
export const nameOfOwnRole = (name: string): string => `${OF_ORGANIZATION}${name}`;

/** The name in the database. The former version finds roles by name in all organizations, so it must not find these. */
export const storedRoleName = (name: string, organizationId: string | null): string =>
  organizationId === null ? name : nameOfOwnRole(name);

export const roleNameOf = (stored: string): string =>
  stored.startsWith(OF_ORGANIZATION) ? stored.slice(OF_ORGANIZATION.length) : stored;

/** SQL of `roleNameOf` for a row of `role`. */
export const ROLE_NAME_SQL = `CASE WHEN role.organization_id IS NULL THEN role.name ELSE substr(role.name, ${OF_ORGANIZATION.length + 1}) END`;
