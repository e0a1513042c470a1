import { OrderedAuditEvent } from '../../audit';
import { presentMembers } from '../../platform/util';
import { ActMapper, changedFields, MappedEvent, stateOf, targetOf, textOf, textsOf } from './mapped-event';

/** The organisation of a role of an organisation, or of a grant that holds in one. */
const organizationOf = ({ before, after }: OrderedAuditEvent): Record<string, unknown> =>
  presentMembers({ organization_id: textOf(stateOf(after ?? before)['organization_id']) });

const mapRole =
  (type: string): ActMapper =>
  (act) => [{ type, subject: targetOf(act, 'role'), data: organizationOf(act) }];

function mapUpdate(act: OrderedAuditEvent): MappedEvent[] {
  const fields = changedFields(act);
  if (fields.length === 0) return [];
  return [{ type: 'role.updated', subject: targetOf(act, 'role'), data: { fields, ...organizationOf(act) } }];
}

/** One event for each user who joins or leaves the role. What holds in an organisation only has a separate type. */
function mapMembers(act: OrderedAuditEvent): MappedEvent[] {
  const { added_ids: added, removed_ids: removed, organization_id: organizationId } = stateOf(act.after);
  const data = { role_ids: [act.targetId], ...organizationOf(act) };
  const family = organizationId === undefined ? 'role.' : 'organization.role_';
  const events = (type: string, userIds: unknown): MappedEvent[] =>
    textsOf(userIds).map((id) => ({ type, subject: { type: 'user', id }, data }));
  return [...events(`${family}assigned`, added), ...events(`${family}unassigned`, removed)];
}

/** Both states list all roles of the user. */
function mapRolesOfUser(act: OrderedAuditEvent): MappedEvent[] {
  const [before, after] = [roleIdsOf(act.before), roleIdsOf(act.after)];
  const event = (type: string, roleIds: string[]): MappedEvent[] =>
    roleIds.length === 0 ? [] : [{ type, subject: targetOf(act, 'user'), data: { role_ids: roleIds } }];
  return [
    ...event(
      'role.assigned',
      [...after].filter((id) => !before.has(id)),
    ),
    ...event(
      'role.unassigned',
      [...before].filter((id) => !after.has(id)),
    ),
  ];
}

function roleIdsOf(state: object | null): ReadonlySet<string> {
  const { roles } = stateOf(state);
  const ids = Array.isArray(roles) ? roles.map((role: unknown) => textOf((role as { id?: unknown }).id)) : [];
  return new Set(ids.filter((id) => id !== undefined));
}

const mapGrants: ActMapper = (act) => [
  { type: 'grant.changed', subject: targetOf(act, 'user'), data: organizationOf(act) },
];

export const roleMappers: readonly (readonly [string, ActMapper])[] = [
  ['role.create', mapRole('role.created')],
  ['role.update', mapUpdate],
  ['role.sync', mapUpdate],
  ['role.delete', mapRole('role.deleted')],
  ['role.replace_users', mapMembers],
  ['user.add_roles', mapRolesOfUser],
  ['user.remove_role', mapRolesOfUser],
  ['user.change_permissions', mapGrants],
];
