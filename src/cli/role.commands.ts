import { OPERATOR } from '../platform/context';
import { checkInput } from '../platform/http/input';
import { presentMembers } from '../platform/util';
import { assignedRoleDto, ListRolesDto, roleDto, RoleViewsService, UserRolesService } from '../rbac';
import { Command, CommandError, Invocation } from './command';
import { listOptions, textOf, textOption } from './option';
import { print, printList } from './output';
import { asQuery, numberedPage, withCursor } from './numbered-pages';
import { findRole, findFirstUser, roleArgument, userArgument } from './targets';

const list: Command = {
  name: 'role list',
  summary: 'List roles by scope and name: id, scope, name and number of users',
  example: 'role list --keyword edit',
  printsData: true,
  options: {
    scope: textOption('SCOPE', 'Only roles of this scope'),
    keyword: textOption('TEXT', 'Only roles whose name contains it'),
    ...listOptions,
  },
  check: numberedPage,
  async run(invocation) {
    const page = numberedPage(invocation);
    const filter = { scope: textOf(invocation, 'scope'), keyword: textOf(invocation, 'keyword') };
    const query = checkInput(ListRolesDto, presentMembers({ ...filter, ...asQuery(page) }));
    const { items, ...rest } = await invocation.service.get(RoleViewsService).list(OPERATOR, query);
    printList(invocation, withCursor(page, { items: items.map(roleDto), ...rest }), {
      id: ({ id }) => id,
      scope: ({ scope }) => scope,
      name: ({ name }) => name,
      users: ({ user_count: users }) => users,
    });
  },
};

/** The names of the roles of the user, after a change. */
async function printRoles(invocation: Invocation, user: { id: string; username: string }): Promise<void> {
  const items = (await invocation.service.get(UserRolesService).list(user.id)).map(assignedRoleDto);
  const names = items.map(({ name }) => name);
  print(invocation, { id: user.id, username: user.username, items }, [
    `Roles of ${user.username}: ${names.length > 0 ? names.join(', ') : 'none'}`,
  ]);
}

/** The user and the role that the arguments name. */
async function membershipOf(invocation: Invocation) {
  const { user } = await findFirstUser(invocation);
  return { user, role: await findRole(invocation.service, invocation.words[1] ?? '') };
}

const grant: Command = {
  name: 'role grant',
  summary: 'Add a user to a role. A role that the user already has stays',
  example: 'role grant ann editor',
  printsData: true,
  arguments: [userArgument, roleArgument],
  async run(invocation) {
    const { user, role } = await membershipOf(invocation);
    await invocation.service.get(UserRolesService).give(OPERATOR, user.id, [role.id]);
    await printRoles(invocation, user);
  },
};

const revoke: Command = {
  name: 'role revoke',
  summary: 'Remove a user from a role. Not for the last administrator',
  example: 'role revoke ann editor',
  printsData: true,
  arguments: [userArgument, roleArgument],
  async run(invocation) {
    const { user, role } = await membershipOf(invocation);
    const roles = invocation.service.get(UserRolesService);
    if (!(await roles.list(user.id)).some((held) => held.role.id === role.id)) {
      throw new CommandError(`${user.username} does not have the role "${role.name}".`);
    }
    await roles.take(OPERATOR, user.id, role.id);
    await printRoles(invocation, user);
  },
};

export const roleCommands: readonly Command[] = [list, grant, revoke];
