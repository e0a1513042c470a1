import { AdministratorsService } from '../auth';
import { Environment } from '../platform/config';
import { ADMIN_ROLE } from '../rbac';
import { Command } from './command';
import { listOptions, textOf, textOption } from './option';
import { print } from './output';
import { findRole } from './targets';
import { printUsers } from './user-lines';

const list: Command = {
  name: 'admin list',
  summary: 'List the administrators, newest first',
  example: 'admin list --json',
  printsData: true,
  options: { ...listOptions },
  async run(invocation) {
    const role = await findRole(invocation.service, ADMIN_ROLE);
    await printUsers(invocation, { role_id: role.id });
  },
};

const create: Command = {
  name: 'admin create',
  summary: 'Create an administrator. The password is ADMIN_PASSWORD, or is read from the terminal or standard input',
  example: 'admin create --username root',
  printsData: true,
  options: { username: textOption('NAME', 'Its username. Default: ADMIN_USERNAME, or admin') },
  async run(invocation) {
    const { service, terminal } = invocation;
    const environment = service.get(Environment);
    const username = textOf(invocation, 'username') ?? environment.adminUsername;
    const password = environment.adminPassword ?? (await terminal.readSecret(`Password of ${username}`));
    await service.get(AdministratorsService).create(username, password, 'command line');
    print(invocation, { username }, [`${username} is an administrator.`]);
  },
};

export const adminCommands: readonly Command[] = [list, create];
