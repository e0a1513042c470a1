export const levelNames = ['read', 'create', 'update', 'delete', 'execute', 'grant', 'admin'] as const;
const HIGHEST = levelNames.length;

export interface Grant {
  readonly scope: string;
  readonly permission_id: string;
  readonly level: number;
}

/** Returns the lowest level for an action. Unknown actions require the highest level. */
export const rankOf = (action: string): number => {
  const index = levelNames.findIndex((name) => name === action);
  return index < 0 ? HIGHEST : index + 1;
};

/**
 * Returns whether the grants cover `resource:action` of the scope. For display only: the service checks permissions
 * itself.
 *
 * @param required level from the catalogue, if known. Defaults to the rank of the action.
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
