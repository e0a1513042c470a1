import { LoginMethodsService } from '../login';
import { Command, CommandError } from './command';

const enable: Command = {
  name: 'login-method enable',
  usage: 'TYPE',
  summary: 'Turn a way to log in on again, for those whom turning it off has shut out of the administration',
  words: { least: 1, most: 1 },
  needsKeys: false,
  async run({ words: [type = ''], service, terminal }) {
    const methods = service.get(LoginMethodsService);
    const types = (await methods.list()).map((method) => method.type);
    if (!types.includes(type)) {
      throw new CommandError(`There is no login method "${type}"; there are ${types.join(', ')}.`);
    }
    const { configured } = await methods.setEnabled(type, true);
    terminal.write(`${type} is on${configured ? '' : ', but not set up'}.\n`);
  },
};

export const loginMethodCommands: readonly Command[] = [enable];
