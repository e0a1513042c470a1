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

/** One line for each command that starts with the word. Empty if there is none. */
export const linesOfGroup = (word: string | undefined): string[] =>
  listed(commands.filter(({ name }) => name.split(' ')[0] === word));

export function help(): string {
  const frame = [
    `castellan ${serviceVersion}`,
    '',
    'Usage: node dist/cli.js COMMAND',
    '',
    ...listed(commands),
    `  ${'help [COMMAND]'.padEnd(COLUMN)}  Print this help, or that of a command`,
    '',
    'Commands read the same environment as the server. With the embedded database, stop the server first.',
    'Exit codes: 0 for success, 1 for a failure, 64 for invalid arguments, 78 for an invalid configuration.',
  ];
  return `${frame.join('\n')}\n`;
}

/** The help of a command, or of all commands that start with the word. Undefined if there is none. */
export function helpOf(given: readonly string[]): string | undefined {
  const command = commandOf(given);
  if (command) return `${usageOf(command)}\n\n${command.summary}\n`;
  const lines = linesOfGroup(given[0]);
  return lines.length > 0 ? `${lines.join('\n')}\n` : undefined;
}
