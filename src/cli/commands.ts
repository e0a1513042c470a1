import { serviceVersion } from '../platform/config';
import { adminCommands } from './admin.commands';
import { auditCommands } from './audit.commands';
import { clientCommands } from './client.commands';
import { Command } from './command';
import { completionCommands } from './completion.commands';
import { doctorCommands } from './doctor.commands';
import { keysCommands } from './keys.commands';
import { loginMethodCommands } from './login-methods.commands';
import { migrateCommands } from './migrate.commands';
import { roleCommands } from './role.commands';
import { sessionCommands } from './session.commands';
import { settingsCommands } from './settings.commands';
import { transferCommands } from './transfer.commands';
import { helpOfCommand, PROGRAM, wordsOf } from './usage';
import { userAccessCommands } from './user-access.commands';
import { userCommands } from './user.commands';

/** Every command. Parsing, help and completion come from this table. */
export const commands: readonly Command[] = [
  ...migrateCommands,
  ...adminCommands,
  ...userCommands,
  ...userAccessCommands,
  ...roleCommands,
  ...sessionCommands,
  ...clientCommands,
  ...auditCommands,
  ...loginMethodCommands,
  ...keysCommands,
  ...settingsCommands,
  ...transferCommands,
  ...doctorCommands,
  ...completionCommands(() => commands),
];

const HELP = 'help [COMMAND]';
const COLUMN = Math.max(...commands.map((command) => shortForm(command).length), HELP.length);

function shortForm({ name, arguments: words = [] }: Command): string {
  return [name, ...words.map((word) => word.name)].join(' ');
}

const listed = (some: readonly Command[]): string[] =>
  some.map((command) => `  ${shortForm(command).padEnd(COLUMN)}  ${command.summary}`);

export const commandOf = (given: readonly string[]): Command | undefined =>
  commands.find((command) => command.name === given.slice(0, wordsOf(command)).join(' '));

/** One line for each command that starts with the word. Empty if there is none. */
export const linesOfGroup = (word: string | undefined): string[] =>
  listed(commands.filter(({ name }) => name.split(' ')[0] === word));

export function help(): string {
  const frame = [
    `castellan ${serviceVersion}`,
    '',
    `Usage: ${PROGRAM} COMMAND`,
    '',
    ...listed(commands),
    `  ${HELP.padEnd(COLUMN)}  Print this help, or that of a command`,
    '',
    '"COMMAND --help" explains the arguments and options of a command, with an example.',
    'Commands read the same environment as the server. With the embedded database, stop the server first.',
    'Exit codes: 0 done, 1 refused or failed, 2 wrong use, 78 invalid configuration.',
  ];
  return `${frame.join('\n')}\n`;
}

/** The help of a command, or of all commands that start with the word. Undefined if there is none. */
export function helpOf(given: readonly string[]): string | undefined {
  const command = commandOf(given);
  if (command) return helpOfCommand(command);
  const lines = linesOfGroup(given[0]);
  return lines.length > 0 ? `${lines.join('\n')}\n` : undefined;
}
