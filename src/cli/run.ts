import type { INestApplicationContext } from '@nestjs/common';
import { IdentityOptions } from '../identity';
import { serviceVersion } from '../platform/config';
import { OPERATOR, runAs } from '../platform/context';
import { Database, StartupTasks } from '../platform/database';
import { createLogger, PinoLog } from '../platform/logging';
import { createContext } from '../standalone';
import { Command, CommandError, exitCodes, isStatic, ServiceCommand, Terminal } from './command';
import { help, helpOf } from './commands';
import { explain } from './explain';
import { isGiven } from './option';
import { Order, parse, unknownCommand } from './parse';

/** The environment of the commands, which tests replace. */
export interface CommandLine {
  readonly terminal: Terminal;
  /** Writes to standard error: log entries of level warn and above, and errors. */
  readonly complain: (line: string) => void;
  readonly identity?: Partial<IdentityOptions>;
  /** A service to run on, which stays open. Default: a new one for the command. */
  readonly service?: INestApplicationContext;
}

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
  { needsSchema = true, needsKeys = true }: ServiceCommand,
  service: INestApplicationContext,
): Promise<void> {
  if (!needsSchema) return;
  await requireSchema(service);
  if (needsKeys) await service.get(StartupTasks).runChecks();
}

/** Asks before a destructive command. Errors: `CommandError` without a person to ask, or after any answer but yes. */
async function confirm(command: ServiceCommand, order: Order, terminal: Terminal): Promise<void> {
  if (!command.question || isGiven(order, 'yes')) return;
  if (!terminal.isInteractive) {
    throw new CommandError(`"${command.name}" needs a confirmation: run it in a terminal, or add --yes.`);
  }
  const answer = await terminal.ask(`${command.question(order)} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was changed.');
}

/** Runs a command line and returns the exit code. */
export async function runCommandLine(given: readonly string[], line: CommandLine): Promise<number> {
  const { terminal } = line;
  let command: Command | undefined;
  let { service } = line;
  try {
    const output = staticOutput(given);
    if (output !== undefined) terminal.write(output);
    else {
      const order = parse(given);
      command = order.command;
      if (isStatic(command)) terminal.write(command.output(order));
      else {
        await confirm(command, order, terminal);
        service ??= await open(line);
        await runOn(service, command, order, terminal);
      }
    }
    await terminal.finish();
    return exitCodes.ok;
  } catch (error) {
    const { text, code } = explain(error, command, service);
    line.complain(`${text}\n`);
    return code;
  } finally {
    if (!line.service) await service?.close();
  }
}

async function runOn(
  service: INestApplicationContext,
  command: ServiceCommand,
  { words, options }: Order,
  terminal: Terminal,
): Promise<void> {
  await requireWhatItNeeds(command, service);
  await runAs(OPERATOR, () => command.run({ words, options, service, terminal }));
}
