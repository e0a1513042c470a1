import { FieldProblem } from '../../platform/errors';

/** The field errors of the ids in `role_ids` that none of the roles has. */
export function unknownRoles(roleIds: readonly string[], roles: readonly { readonly id: string }[]): FieldProblem[] {
  const known = new Set(roles.map(({ id }) => id));
  return roleIds.flatMap((id, index) =>
    known.has(id) ? [] : [{ field: `role_ids[${index}]`, code: 'unknown_role', params: { id } }],
  );
}
