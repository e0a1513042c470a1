import { AdministratorsService } from '../auth';
import { Environment } from '../platform/config';
import { Command } from './command';

const create: Command = {
  name: 'admin create',
  usage: '[--username NAME]',
  summary: 'Create an administrator. The password is ADMIN_PASSWORD, or is read from the terminal or standard input',
  options: { username: { type: 'string' } },
  async run({ options, service, terminal }) {
    const environment = service.get(Environment);
    const username = typeof options['username'] === 'string' ? options['username'] : environment.adminUsername;
    const password = environment.adminPassword ?? (await terminal.readSecret(`Password of ${username}`));
    await service.get(AdministratorsService).create(username, password, 'command line');
    terminal.write(`${username} is an administrator.\n`);
  },
};

export const adminCommands: readonly Command[] = [create];
