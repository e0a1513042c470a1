import { KeyRotationService } from '../session';
import { Command } from './command';

const rotate: Command = {
  name: 'keys rotate',
  usage: '',
  summary:
    'Make the next signing keys, of sessions and of OAuth clients; they sign a minute later, and nobody is logged out',
  async run({ service, terminal }) {
    const rotated = await service.get(KeyRotationService).rotateAll();
    if (rotated.length === 0) {
      terminal.write('There are no signing keys yet: the first start of the server makes them.\n');
    }
    for (const { kid, usage, algorithm } of rotated) terminal.write(`${kid} ${usage} ${algorithm}\n`);
  },
};

export const keysCommands: readonly Command[] = [rotate];
