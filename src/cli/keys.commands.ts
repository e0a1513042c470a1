import { KeyRotation } from '../session';
import { Command } from './command';

const rotate: Command = {
  name: 'keys rotate',
  usage: '',
  summary:
    'Make the next signing keys, of sessions and of OAuth clients; they sign a minute later, and nobody is logged out',
  async run({ service, terminal }) {
    for (const { kid, usage, algorithm } of await service.get(KeyRotation).rotateAll()) {
      terminal.write(`${kid} ${usage} ${algorithm}\n`);
    }
  },
};

export const keysCommands: readonly Command[] = [rotate];
