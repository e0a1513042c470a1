import type { INestApplicationContext } from '@nestjs/common';
import { parseArgs } from 'node:util';
import { IdentityOptions } from '../identity.options';
import { serviceVersion } from '../platform/config';
import { Database, StartupTasks } from '../platform/database';
import { createLogger, PinoLog } from '../platform/logging';
import { createContext } from '../standalone';
import { Command, CommandError, exitCodes, Terminal, Typed, UsageError } from './command';
import { commandOf, help, helpOf, linesOfGroup, usageOf, wordsOf } from './commands';
import { explain } from './explain';

/** The environment of the commands, which tests replace. */
export interface CommandLine {
  readonly terminal: Terminal;
  /** Writes to standard error: log entries of level warn and above, and errors. */
  readonly complain: (line: string) => void;
  readonly identity?: Partial<IdentityOptions>;
}

type Order = Typed & { readonly command: Command };

const isHelp = (word: string): boolean => word === '--help' || word === '-h';

/**
 * Output of `--help` and `--version`, which needs no service. Undefined if a command has to run. Errors: `UsageError`.
 */
function staticOutput(given: readonly string[]): string | undefined {
  if (given.includes('--version')) return `${serviceVersion}\n`;
  const isAskedFor = given[0] === 'help' || given.some(isHelp);
  if (given.length > 0 && !isAskedFor) return undefined;
  const words = given.filter((word, index) => !isHelp(word) && (index > 0 || word !== 'help'));
  if (words.length === 0) return help();
  const output = helpOf(words);
  if (output === undefined) throw unknownCommand(words);
  return output;
}

function unknownCommand(given: readonly string[]): UsageError {
  const lines = linesOfGroup(given[0]);
  if (lines.length > 0) return new UsageError([`"${given[0]}" needs one of these subcommands:`, ...lines].join('\n'));
  return new UsageError(`There is no command "${given.slice(0, 2).join(' ')}". "help" lists all commands.`);
}

function parse(given: readonly string[]): Order {
  const command = commandOf(given);
  if (!command) throw unknownCommand(given);
  const { positionals: words, values } = parsed(command, given.slice(wordsOf(command)));
  const { min, max } = command.words ?? { min: 0, max: 0 };
  if (words.length < min) throw typedWrong(command, 'An argument is missing.');
  if (words.length > max) throw typedWrong(command, `Too many arguments.`);
  const options = values as Typed['options'];
  command.check?.({ words, options });
  return { command, words, options };
}

const typedWrong = (command: Command, why: string): UsageError => new UsageError(`${why}\n${usageOf(command)}`);

function parsed(command: Command, args: string[]): ReturnType<typeof parseArgs> {
  try {
    return parseArgs({ args, options: command.options ?? {}, allowPositionals: true });
  } catch (error) {
    // Only the first sentence of Node's message applies. The rest explains arguments that start with a dash.
    const [why = ''] = (error as Error).message.split('. ');
    throw typedWrong(command, why);
  }
}

class CommandLog extends PinoLog {
  isBuilt = false;

  /**
   * Skips errors during the start, because they are also thrown and then reported in one line without a stack trace.
   */
  override error(...entry: Parameters<PinoLog['error']>): void {
    if (this.isBuilt) super.error(...entry);
  }
}

async function open({ identity, complain }: CommandLine): Promise<INestApplicationContext> {
  const log = new CommandLog(createLogger({ level: 'warn', format: 'pretty', destination: { write: complain } }));
  // Starts listeners and checks, but opens no port, runs no jobs and writes no data.
  const service = await createContext({ log, ...identity });
  log.isBuilt = true;
  return service;
}

async function requireSchema(service: INestApplicationContext): Promise<void> {
  const reports = await service.get(Database).migrations();
  if (reports.some(({ isPending }) => isPending)) {
    throw new CommandError(
      'The database schema is not that of this version. Run "migrate run", or start the server once.',
    );
  }
}

/** Runs before the command writes: values encrypted with other keys than the server's could not be decrypted later. */
async function requireWhatItNeeds(
  { needsSchema = true, needsKeys = true }: Command,
  service: INestApplicationContext,
): Promise<void> {
  if (!needsSchema) return;
  await requireSchema(service);
  if (needsKeys) await service.get(StartupTasks).runChecks();
}

/** Runs a command line and returns the exit code. */
export async function runCommandLine(given: readonly string[], line: CommandLine): Promise<number> {
  const { terminal } = line;
  let service: INestApplicationContext | undefined;
  try {
    const output = staticOutput(given);
    if (output === undefined) {
      const { command, words, options } = parse(given);
      service = await open(line);
      await requireWhatItNeeds(command, service);
      await command.run({ words, options, service, terminal });
    } else {
      terminal.write(output);
    }
    await terminal.finish();
    return exitCodes.ok;
  } catch (error) {
    const { text, code } = explain(error, service);
    line.complain(`${text}\n`);
    return code;
  } finally {
    await service?.close();
  }
}
