import { LoginMethodsService } from '../auth/login';
import { Command, CommandError } from './command';
import { print } from './output';

const enable: Command = {
  name: 'login-method enable',
  summary: 'Enable a login method, for administrators who can no longer log in after it was disabled',
  example: 'login-method enable password',
  printsData: true,
  arguments: [{ name: 'TYPE', summary: 'The type of the login method, such as password' }],
  needsKeys: false,
  async run(invocation) {
    const type = invocation.words[0] ?? '';
    const methods = invocation.service.get(LoginMethodsService);
    const types = (await methods.list()).map((method) => method.type);
    if (!types.includes(type)) {
      throw new CommandError(`There is no login method "${type}". Available: ${types.join(', ')}.`);
    }
    const { configured } = await methods.setEnabled(type, true);
    print(invocation, { type, enabled: true, configured }, [
      `${type} is enabled${configured ? '' : ', but not configured'}.`,
    ]);
  },
};

export const loginMethodCommands: readonly Command[] = [enable];
