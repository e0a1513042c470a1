import { LoginMethodsService } from '../login';
import { Command, CommandError } from './command';

const enable: Command = {
  name: 'login-method enable',
  usage: 'TYPE',
  summary: 'Enable a login method, for administrators who can no longer log in after it was disabled',
  words: { min: 1, max: 1 },
  needsKeys: false,
  async run({ words: [type = ''], service, terminal }) {
    const methods = service.get(LoginMethodsService);
    const types = (await methods.list()).map((method) => method.type);
    if (!types.includes(type)) {
      throw new CommandError(`There is no login method "${type}". Available: ${types.join(', ')}.`);
    }
    const { configured } = await methods.setEnabled(type, true);
    terminal.write(`${type} is enabled${configured ? '' : ', but not configured'}.\n`);
  },
};

export const loginMethodCommands: readonly Command[] = [enable];
