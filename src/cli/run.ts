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

/** The world around the commands; tests bring their own. */
export interface CommandLine {
  readonly terminal: Terminal;
  /** What is no result: the log from warnings up, and what went wrong. */
  readonly complain: (line: string) => void;
  readonly identity?: Partial<IdentityOptions>;
}

type Order = Typed & { readonly command: Command };

const isHelp = (word: string): boolean => word === '--help' || word === '-h';

/** Output that needs no service; undefined: a command has to run. Errors: `UsageError`. */
function toldAtOnce(given: readonly string[]): string | undefined {
  if (given.includes('--version')) return `${serviceVersion}\n`;
  const isAskedFor = given[0] === 'help' || given.some(isHelp);
  if (given.length > 0 && !isAskedFor) return undefined;
  const words = given.filter((word, index) => !isHelp(word) && (index > 0 || word !== 'help'));
  if (words.length === 0) return help();
  const told = helpOf(words);
  if (told === undefined) throw unknownCommand(words);
  return told;
}

function unknownCommand(given: readonly string[]): UsageError {
  const lines = linesOfGroup(given[0]);
  if (lines.length > 0) return new UsageError([`"${given[0]}" goes on with one of these:`, ...lines].join('\n'));
  return new UsageError(`There is no command "${given.slice(0, 2).join(' ')}"; "help" lists them all.`);
}

function parse(given: readonly string[]): Order {
  const command = commandOf(given);
  if (!command) throw unknownCommand(given);
  const { positionals: words, values } = parsed(command, given.slice(wordsOf(command)));
  const { least, most } = command.words ?? { least: 0, most: 0 };
  if (words.length < least) throw typedWrong(command, 'Something is missing.');
  if (words.length > most) throw typedWrong(command, `Word ${wordsOf(command) + most + 1} is too much.`);
  const options = values as Typed['options'];
  command.check?.({ words, options });
  return { command, words, options };
}

const typedWrong = (command: Command, why: string): UsageError => new UsageError(`${why}\n${usageOf(command)}`);

function parsed(command: Command, args: string[]): ReturnType<typeof parseArgs> {
  try {
    return parseArgs({ args, options: command.options ?? {}, allowPositionals: true });
  } catch (error) {
    // After its first sentence Node explains how an argument may begin with a dash, which no argument here does.
    const [why = ''] = (error as Error).message.split('. ');
    throw typedWrong(command, why);
  }
}

class CommandLog extends PinoLog {
  isBuilt = false;

  /** Errors while the service is built are thrown, too, and reported in one line instead of a stack trace. */
  override error(...entry: Parameters<PinoLog['error']>): void {
    if (this.isBuilt) super.error(...entry);
  }
}

async function open({ identity, complain }: CommandLine): Promise<INestApplicationContext> {
  const log = new CommandLog(createLogger({ level: 'warn', format: 'pretty', destination: { write: complain } }));
  // Its listeners and checks are at work, but nothing is served: no port, no job, nothing done to the data.
  const service = await createContext({ log, ...identity });
  log.isBuilt = true;
  return service;
}

async function requireSchema(service: INestApplicationContext): Promise<void> {
  const reports = await service.get(Database).migrations();
  if (reports.some(({ isPending }) => isPending)) {
    throw new CommandError('The tables are not those of this version: run "migrate run", or start the server once.');
  }
}

/** Checked before anything is written: values sealed with other keys than the service's could not be opened. */
async function requireWhatItNeeds(
  { needsSchema = true, needsKeys = true }: Command,
  service: INestApplicationContext,
): Promise<void> {
  if (!needsSchema) return;
  await requireSchema(service);
  if (needsKeys) await service.get(StartupTasks).runChecks();
}

/** Runs what was typed; answers the code that the process ends with. */
export async function runCommandLine(given: readonly string[], line: CommandLine): Promise<number> {
  const { terminal } = line;
  let service: INestApplicationContext | undefined;
  try {
    const told = toldAtOnce(given);
    if (told === undefined) {
      const { command, words, options } = parse(given);
      service = await open(line);
      await requireWhatItNeeds(command, service);
      await command.run({ words, options, service, terminal });
    } else {
      terminal.write(told);
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
