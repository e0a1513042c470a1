export const levelNames = ['read', 'create', 'update', 'delete', 'execute', 'grant', 'admin'] as const;
const HIGHEST = levelNames.length;

export interface Grant {
  readonly scope: string;
  readonly permission_id: string;
  readonly level: number;
}

/** What an action asks for at least; an action of another name asks for the highest. */
export const rankOf = (action: string): number => {
  const index = levelNames.findIndex((name) => name === action);
  return index < 0 ? HIGHEST : index + 1;
};

/**
 * Whether the grants cover `resource:action` of the scope: for showing what somebody can use. The service judges for
 * itself.
 *
 * @param required the level that the catalogue asks for, where it is known; default: the rank of the action.
 */
export function mayDo(grants: readonly Grant[], scope: string, permission: string, required?: number): boolean {
  const [resource = '', action = ''] = permission.split(':');
  return grants.some((grant) => {
    const [heldResource, heldAction = '*'] = grant.permission_id.split(':');
    return (
      (grant.scope === scope || grant.scope === '*') &&
      (heldResource === resource || heldResource === '*') &&
      (heldAction === action || heldAction === '*' || heldAction === 'admin') &&
      grant.level >= (required ?? rankOf(action))
    );
  });
}
