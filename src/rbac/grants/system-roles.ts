import { WILDCARD } from '../permission';

export const ADMIN_ROLE = 'admin';
export const USER_ROLE = 'user';

export interface SystemRole {
  readonly name: string;
  readonly description: string;
  readonly grants: readonly { scope: string; permissionId: string; level: number }[];
}

/** The wire name for the source of direct grants. */
export const DIRECT = 'direct';

/**
 * Names that other roles cannot have, in any scope. No role can occupy the name of a system role when `SERVICE_SCOPE`
 * changes, or be mistaken for direct grants.
 */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([ADMIN_ROLE, USER_ROLE, DIRECT]);

/** Ignores case, because people read `Admin` as the system role. */
export const isReservedRoleName = (name: string): boolean => RESERVED_NAMES.has(name.toLowerCase());

/** The roles that the code defines. Synced to the database at every start. */
export function systemRoles(serviceScope: string): readonly SystemRole[] {
  return [
    {
      name: ADMIN_ROLE,
      description: 'Everything, everywhere',
      grants: [{ scope: WILDCARD, permissionId: `${WILDCARD}:${WILDCARD}`, level: 7 }],
    },
    {
      name: USER_ROLE,
      description: 'Own profile',
      grants: [
        { scope: serviceScope, permissionId: 'profile:read', level: 1 },
        { scope: serviceScope, permissionId: 'profile:update', level: 3 },
      ],
    },
  ];
}
