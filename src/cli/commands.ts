import { serviceVersion } from '../platform/config';
import { adminCommands } from './admin.commands';
import { Command } from './command';
import { doctorCommands } from './doctor.commands';
import { keysCommands } from './keys.commands';
import { loginMethodCommands } from './login-methods.commands';
import { migrateCommands } from './migrate.commands';
import { settingsCommands } from './settings.commands';
import { transferCommands } from './transfer.commands';

const commands: readonly Command[] = [
  ...migrateCommands,
  ...adminCommands,
  ...loginMethodCommands,
  ...keysCommands,
  ...settingsCommands,
  ...transferCommands,
  ...doctorCommands,
];

const COLUMN = 34;

const typedAs = ({ name, usage }: Command): string => `${name} ${usage}`.trim();

const listed = (some: readonly Command[]): string[] =>
  some.map((command) => `  ${typedAs(command).padEnd(COLUMN)}  ${command.summary}`);

export const wordsOf = ({ name }: Command): number => name.split(' ').length;

export const usageOf = (command: Command): string => `Usage: ${typedAs(command)}`;

export const commandOf = (given: readonly string[]): Command | undefined =>
  commands.find((command) => command.name === given.slice(0, wordsOf(command)).join(' '));

/** The commands that begin with a word, as lines; none: nothing begins with it. */
export const linesOfGroup = (word: string | undefined): string[] =>
  listed(commands.filter(({ name }) => name.split(' ')[0] === word));

export function help(): string {
  const frame = [
    `castellan ${serviceVersion}`,
    '',
    'Usage: node dist/cli.js COMMAND',
    '',
    ...listed(commands),
    `  ${'help [COMMAND]'.padEnd(COLUMN)}  Print this, or what is known of a command`,
    '',
    'Commands read the same environment as the server. On the embedded database the server must be stopped first.',
    'They end with 0, with 1 when they failed, with 64 when they were typed wrong, with 78 on a bad configuration.',
  ];
  return `${frame.join('\n')}\n`;
}

/** Of a command, or of all that begin with the same word; undefined where there is none. */
export function helpOf(given: readonly string[]): string | undefined {
  const command = commandOf(given);
  if (command) return `${usageOf(command)}\n\n${command.summary}\n`;
  const lines = linesOfGroup(given[0]);
  return lines.length > 0 ? `${lines.join('\n')}\n` : undefined;
}
