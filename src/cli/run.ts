import { parseArgs, ParseArgsConfig } from 'node:util';
import { IdentityOptions } from '../identity.options';
import { serviceVersion } from '../platform/config';
import { Database, StartupTasks } from '../platform/database';
import { createLogger, PinoLog } from '../platform/logging';
import { createStandalone } from '../standalone';
import { adminCommands } from './admin.commands';
import { Command, CommandError, exitCodes, Terminal, Typed, UsageError } from './command';
import { doctorCommands } from './doctor.commands';
import { explain } from './explain';
import { keysCommands } from './keys.commands';
import { loginMethodCommands } from './login-methods.commands';
import { migrateCommands } from './migrate.commands';
import { settingsCommands } from './settings.commands';
import { transferCommands } from './transfer.commands';

export const commands: readonly Command[] = [
  ...migrateCommands,
  ...adminCommands,
  ...loginMethodCommands,
  ...keysCommands,
  ...settingsCommands,
  ...transferCommands,
  ...doctorCommands,
];

/** The world around the commands; tests bring their own. */
export interface CommandLine {
  readonly terminal: Terminal;
  /** What is no result: the log from warnings up, and what went wrong. */
  readonly complain: (line: string) => void;
  readonly identity?: Partial<IdentityOptions>;
}

type Service = Awaited<ReturnType<typeof createStandalone>>;
type Order = Typed & { readonly command: Command };

function help(): string {
  const lines = commands.map(({ name, usage, summary }) => `  ${`${name} ${usage}`.trim().padEnd(34)}  ${summary}`);
  const frame = [
    `castellan ${serviceVersion}`,
    '',
    'Usage: node dist/cli.js COMMAND',
    '',
    ...lines,
    `  ${'help'.padEnd(34)}  Print this`,
    '',
    'Commands read the same environment as the server. On the embedded database the server must be stopped first.',
    'They end with 0, with 1 when they failed, with 64 when they were typed wrong, with 78 on a bad configuration.',
  ];
  return `${frame.join('\n')}\n`;
}

const wordsOf = (name: string): number => name.split(' ').length;

const commandOf = (given: readonly string[]): Command | undefined =>
  commands.find(({ name }) => name === given.slice(0, wordsOf(name)).join(' '));

const usageOf = ({ name, usage }: Command): string => `Usage: ${`${name} ${usage}`.trim()}`;

/** What is told without a service; undefined: a command is to be run. */
function toldAtOnce(given: readonly string[]): string | undefined {
  if (given.length === 0 || given[0] === 'help') return help();
  if (given.includes('--version')) return `${serviceVersion}\n`;
  if (!given.some((word) => word === '--help' || word === '-h')) return undefined;
  const command = commandOf(given);
  return command ? `${usageOf(command)}\n\n${command.summary}\n` : help();
}

function parse(given: readonly string[]): Order {
  const command = commandOf(given);
  if (!command) throw new UsageError(`There is no command "${given.slice(0, 2).join(' ')}"; "help" lists them all.`);
  const config: ParseArgsConfig = {
    args: given.slice(wordsOf(command.name)),
    options: command.options ?? {},
    allowPositionals: true,
  };
  const { positionals: words, values } = parsed(config);
  const { least, most } = command.words ?? { least: 0, most: 0 };
  if (words.length < least || words.length > most) throw new UsageError(usageOf(command));
  const options = values as Typed['options'];
  command.check?.({ words, options });
  return { command, words, options };
}

function parsed(config: ParseArgsConfig): ReturnType<typeof parseArgs> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function open({ identity, complain }: CommandLine): Promise<Service> {
  // What goes wrong while it is built is thrown, too, and told in one line instead of a stack.
  let isBuilt = false;
  const write = (entry: string): void => {
    if (isBuilt) complain(entry);
  };
  const log = new PinoLog(createLogger({ level: 'warn', format: 'pretty', destination: { write } }));
  // It is built, but never started: no port, no job, nothing done to the data.
  const service = await createStandalone({ log, ...identity });
  isBuilt = true;
  return service;
}

async function requireSchema(service: Service): Promise<void> {
  const reports = await service.get(Database).migrations();
  if (reports.some(({ isPending }) => isPending)) {
    throw new CommandError('The tables are not those of this version: run "migrate run", or start the server once.');
  }
}

/** Before anything is written: what would be sealed with other keys than the service's, nobody could open. */
async function requireWhatItNeeds({ needsSchema = true, needsKeys = true }: Command, service: Service): Promise<void> {
  if (!needsSchema) return;
  await requireSchema(service);
  if (needsKeys) await service.get(StartupTasks).runChecks();
}

/** Runs what was typed; answers the code that the process ends with. */
export async function runCommandLine(given: readonly string[], line: CommandLine): Promise<number> {
  const told = toldAtOnce(given);
  if (told !== undefined) {
    line.terminal.write(told);
    return exitCodes.ok;
  }
  let service: Service | undefined;
  try {
    const { command, words, options } = parse(given);
    service = await open(line);
    await requireWhatItNeeds(command, service);
    await command.run({ words, options, service, terminal: line.terminal });
    return exitCodes.ok;
  } catch (error) {
    const { text, code } = explain(error, service);
    line.complain(`${text}\n`);
    return code;
  } finally {
    await service?.close();
  }
}
