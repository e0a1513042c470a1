import { KeyRotationService } from '../session';
import { Command } from './command';
import { print } from './output';

const rotate: Command = {
  name: 'keys rotate',
  summary: 'Create new signing keys for sessions and OAuth clients. They are used a minute later, and no session ends',
  example: 'keys rotate',
  printsData: true,
  async run(invocation) {
    const rotated = await invocation.service.get(KeyRotationService).rotateAll();
    const items = rotated.map(({ kid, usage, algorithm }) => ({ kid, usage, algorithm }));
    const lines = items.map(({ kid, usage, algorithm }) => `${kid} ${usage} ${algorithm}`);
    const none = 'There are no signing keys yet. The first start of the server creates them.';
    print(invocation, { items }, lines.length > 0 ? lines : [none]);
  },
};

export const keysCommands: readonly Command[] = [rotate];
