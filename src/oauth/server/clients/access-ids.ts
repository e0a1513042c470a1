import { FieldProblem } from '../../../platform/errors';
import { ClientAccess } from './client-claims';

interface UnknownIds {
  readonly roles: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly users: ReadonlySet<string>;
}

/** What `access` names, without what it named before: that may be gone. */
export function newAccessIds(access: ClientAccess, before?: ClientAccess): Required<Omit<ClientAccess, 'mode'>> {
  const newAmong = (ids: readonly string[] = [], known: readonly string[] = []): string[] =>
    ids.filter((id) => !known.includes(id));
  return {
    roleIds: newAmong(access.roleIds, before?.roleIds),
    groupIds: newAmong(access.groupIds, before?.groupIds),
    userIds: newAmong(access.userIds, before?.userIds),
  };
}

/** A problem for each unknown id. */
export const problemsOfAccess = (access: ClientAccess, unknown: UnknownIds): FieldProblem[] => [
  ...problemsOf('role', access.roleIds, unknown.roles),
  ...problemsOf('group', access.groupIds ?? [], unknown.groups),
  ...problemsOf('user', access.userIds, unknown.users),
];

const problemsOf = (kind: string, ids: readonly string[], unknown: ReadonlySet<string>): FieldProblem[] =>
  ids.flatMap((id, index) =>
    unknown.has(id) ? [{ field: `access.${kind}_ids[${index}]`, code: `unknown_${kind}`, params: { id } }] : [],
  );
