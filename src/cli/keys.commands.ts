import { KeyRotationService } from '../session';
import { Command } from './command';

const rotate: Command = {
  name: 'keys rotate',
  usage: '',
  summary: 'Create new signing keys for sessions and OAuth clients. They are used a minute later, and no session ends',
  async run({ service, terminal }) {
    const rotated = await service.get(KeyRotationService).rotateAll();
    if (rotated.length === 0) {
      terminal.write('There are no signing keys yet. The first start of the server creates them.\n');
    }
    for (const { kid, usage, algorithm } of rotated) terminal.write(`${kid} ${usage} ${algorithm}\n`);
  },
};

export const keysCommands: readonly Command[] = [rotate];
