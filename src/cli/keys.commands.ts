import { SessionKeys } from '../session';
import { Command } from './command';

const rotate: Command = {
  name: 'keys rotate',
  usage: '',
  summary: 'Make the next signing key of sessions; it signs a minute later, and nobody is logged out',
  async run({ service, terminal }) {
    terminal.write(`${await service.get(SessionKeys).rotate()}\n`);
  },
};

export const keysCommands: readonly Command[] = [rotate];
