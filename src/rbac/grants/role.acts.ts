import {
  Act,
  ActEvent,
  changedFieldNames,
  changedFields,
  defineAct,
  defineFeedEvents,
  eventField,
  StoredAct,
} from '../../audit';

const { id, ids } = eventField;
const roles = { role_ids: ids('The roles') };
const ofOrganization = { organization_id: id('The organization of the role. Absent for roles of the service') };
const heldThere = { organization_id: id('The organization in which they hold. Absent if they hold everywhere') };

export const roleEvents = defineFeedEvents({
  'role.created': {
    meaning: 'A role was created.',
    subject: 'role',
    data: ofOrganization,
    optional: ['organization_id'],
  },
  'role.updated': {
    meaning: 'A role or its permissions changed.',
    subject: 'role',
    data: { fields: changedFieldNames, ...ofOrganization },
    optional: ['organization_id'],
  },
  'role.deleted': {
    meaning: 'A role was deleted; its users no longer hold it.',
    subject: 'role',
    data: ofOrganization,
    optional: ['organization_id'],
  },
  'role.assigned': { meaning: 'A user got roles, which hold everywhere.', subject: 'user', data: roles },
  'role.unassigned': { meaning: 'A user lost roles that held everywhere.', subject: 'user', data: roles },
  'organization.role_assigned': {
    meaning: 'A member of an organization got a role of it, which holds there only.',
    subject: 'user',
    data: { ...roles, organization_id: id('The organization') },
  },
  'organization.role_unassigned': {
    meaning: 'A member of an organization lost a role of it.',
    subject: 'user',
    data: { ...roles, organization_id: id('The organization') },
  },
  'grant.changed': {
    meaning: 'The permissions granted directly to a user changed.',
    subject: 'user',
    data: heldThere,
    optional: ['organization_id'],
  },
});

export interface GrantState {
  readonly scope: string;
  readonly permission_id: string;
  readonly level: number;
}

export interface RoleState {
  readonly name: string;
  readonly description?: string;
  readonly scope: string;
  readonly organization_id?: string;
  readonly mfa_required?: boolean;
  readonly permissions: readonly GrantState[];
}

/** All roles of the user. */
interface RolesOfUser {
  readonly roles: readonly { readonly id: string; readonly scope: string; readonly name: string }[];
}

export interface GrantsOfUser {
  readonly organization_id?: string;
  readonly permissions: readonly GrantState[];
}

interface MembersState {
  readonly organization_id?: string;
  readonly user_count: number;
  readonly added: number;
  readonly removed: number;
  readonly added_ids: readonly string[];
  readonly removed_ids: readonly string[];
}

interface RolesChange {
  readonly before: RolesOfUser;
  readonly after: RolesOfUser;
}

export type RolesOfUserAct = Act<RolesChange>;

interface RoleChange {
  readonly before: RoleState;
  readonly after: RoleState;
}

function updated(act: StoredAct<RoleChange>): ActEvent[] {
  const fields = changedFields(act);
  return fields.length === 0
    ? []
    : [roleEvents('role.updated', { fields, organization_id: act.after.organization_id })];
}

/** One event for each user who joins or leaves the role. What holds in an organization only has a separate type. */
function memberEvents({ targetId, after }: StoredAct<{ after: MembersState }>): ActEvent[] {
  // Entries of former versions name no users.
  const { added_ids: added = [], removed_ids: removed = [], organization_id } = after as Partial<MembersState>;
  const role_ids = targetId === null ? [] : [targetId];
  const event = (type: 'assigned' | 'unassigned', userId: string): ActEvent => {
    const subject = { type: 'user', id: userId };
    if (organization_id === undefined) return roleEvents(`role.${type}`, { role_ids }, subject);
    return roleEvents(`organization.role_${type}`, { role_ids, organization_id }, subject);
  };
  return [...added.map((id) => event('assigned', id)), ...removed.map((id) => event('unassigned', id))];
}

function roleEventsOfUser({ before, after }: StoredAct<RolesChange>): ActEvent[] {
  const [held, holds] = [roleIdsOf(before), roleIdsOf(after)];
  const event = (type: 'role.assigned' | 'role.unassigned', ids: ReadonlySet<string>, others: ReadonlySet<string>) => {
    const role_ids = [...ids].filter((id) => !others.has(id));
    return role_ids.length === 0 ? [] : [roleEvents(type, { role_ids })];
  };
  return [...event('role.assigned', holds, held), ...event('role.unassigned', held, holds)];
}

const roleIdsOf = ({ roles: held = [] }: Partial<RolesOfUser>): ReadonlySet<string> =>
  new Set(held.map(({ id }) => id));

export const roleActs = {
  create: defineAct<{ after: RoleState }>('role.create', {
    events: ({ after }) => [roleEvents('role.created', { organization_id: after.organization_id })],
  }),
  update: defineAct<RoleChange>('role.update', { events: updated }),
  /** A system role takes over the grants of a new version. */
  sync: defineAct<RoleChange>('role.sync', { events: updated }),
  delete: defineAct<{
    before: RoleState & {
      readonly user_count: number;
      readonly group_count: number;
      readonly group_ids: readonly string[];
    };
  }>('role.delete', {
    events: ({ before }) => [roleEvents('role.deleted', { organization_id: before.organization_id })],
  }),
  replaceUsers: defineAct<{ before: { readonly user_count: number }; after: MembersState }>('role.replace_users', {
    events: memberEvents,
  }),
  addToUser: defineAct<RolesChange>('user.add_roles', { events: roleEventsOfUser }),
  removeFromUser: defineAct<RolesChange>('user.remove_role', { events: roleEventsOfUser }),
};

export interface PermissionState {
  readonly scope: string;
  readonly permission_id: string;
  /** Null: the rank of its action. */
  readonly required_level: number | null;
  readonly description: string;
}

export const permissionActs = {
  create: defineAct<{ after: PermissionState }>('permission.create'),
  update: defineAct<{ before: PermissionState; after: PermissionState }>('permission.update'),
  delete: defineAct<{ before: PermissionState }>('permission.delete'),
  /** An attempt to give or take away what the actor does not hold. */
  escalate: defineAct<{ after: { readonly lacking: readonly GrantState[]; readonly lacking_count: number } }>(
    'permission.escalate',
  ),
  changeOfUser: defineAct<{ before: GrantsOfUser; after: GrantsOfUser }>('user.change_permissions', {
    events: ({ after }) => [roleEvents('grant.changed', { organization_id: after.organization_id })],
  }),
};
