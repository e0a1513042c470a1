import { WILDCARD } from './permission';

export const ADMIN_ROLE = 'admin';
export const USER_ROLE = 'user';

export interface SystemRole {
  readonly name: string;
  readonly description: string;
  readonly grants: readonly { scope: string; permissionId: string; level: number }[];
}

/** How the wire calls what no role gives. */
export const DIRECT = 'direct';

/**
 * What nobody's own role is called, in any scope: whatever `SERVICE_SCOPE` becomes, none stands where a system role
 * belongs; and none is taken for what its user was given directly.
 */
const RESERVED_NAMES: ReadonlySet<string> = new Set([ADMIN_ROLE, USER_ROLE, DIRECT]);

/** In any case of its letters: people read `Admin` as the system role. */
export const isReservedRoleName = (name: string): boolean => RESERVED_NAMES.has(name.toLowerCase());

/** The roles the code itself defines; the database follows it at every start. */
export function systemRoles(serviceScope: string): readonly SystemRole[] {
  return [
    {
      name: ADMIN_ROLE,
      description: 'Everything, everywhere',
      grants: [{ scope: WILDCARD, permissionId: `${WILDCARD}:${WILDCARD}`, level: 7 }],
    },
    {
      name: USER_ROLE,
      description: 'The own profile',
      grants: [
        { scope: serviceScope, permissionId: 'profile:read', level: 1 },
        { scope: serviceScope, permissionId: 'profile:update', level: 3 },
      ],
    },
  ];
}
