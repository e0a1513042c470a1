import { parseArgs, ParseArgsConfig } from 'node:util';
import { Argument, Command, Option, Typed, UsageError } from './command';
import { commandOf, linesOfGroup } from './commands';
import { argumentsOf, optionsOf, usageOf, wordsOf } from './usage';

export type Order = Typed & { readonly command: Command };

export function unknownCommand(given: readonly string[]): UsageError {
  const lines = linesOfGroup(given[0]);
  if (lines.length > 0) return new UsageError([`"${given[0]}" needs one of these subcommands:`, ...lines].join('\n'));
  return new UsageError(`There is no command "${given.slice(0, 2).join(' ')}". "help" lists all commands.`);
}

/** Reads a command line. Errors: `UsageError`, which names the option or argument and its rule. */
export function parse(given: readonly string[]): Order {
  const command = commandOf(given);
  if (!command) throw unknownCommand(given);
  const { positionals: words, values } = parsed(command, given.slice(wordsOf(command)));
  const problem = problemOfWords(argumentsOf(command), words) ?? problemOfOptions(command, values);
  if (problem !== undefined) throw typedWrong(command, problem);
  const options = Object.fromEntries(
    Object.entries(values).map(([name, given]) => [name, optionsOf(command)[name]?.isList ? given : given[0]]),
  ) as Typed['options'];
  command.check?.({ words, options });
  return { command, words, options };
}

const typedWrong = (command: Command, why: string): UsageError => new UsageError(`${why}\n${usageOf(command)}`);

interface Given {
  readonly positionals: readonly string[];
  /** All values of each option, in order. */
  readonly values: Readonly<Record<string, readonly (string | boolean)[]>>;
}

function parsed(command: Command, args: string[]): Given {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [name, { value }] of Object.entries(optionsOf(command))) {
    options[name] = { type: value === undefined ? 'boolean' : 'string', multiple: true };
  }
  try {
    const { positionals, values } = parseArgs({
      args,
      options,
      allowPositionals: true,
    });
    return { positionals, values: values as Given['values'] };
  } catch (error) {
    // Only the first sentence of Node's message applies. The rest explains arguments that start with a dash.
    const [why = ''] = (error as Error).message.split('. ');
    throw typedWrong(command, why);
  }
}

function problemOfWords(expected: readonly Argument[], words: readonly string[]): string | undefined {
  if (words.length > expected.length) return 'Too many arguments.';
  const missing = expected[words.length];
  if (missing) return `The argument ${missing.name} is missing.`;
  const wrong = expected.find(({ choices }, place) => choices && !choices.includes(words[place] ?? ''));
  return wrong && `The argument must be one of ${wrong.choices?.join(', ')}.`;
}

function problemOfOptions(command: Command, values: Given['values']): string | undefined {
  for (const [name, option] of Object.entries(optionsOf(command))) {
    const problem = problemOfOption(option, values[name] ?? []);
    if (problem !== undefined) return `--${name} ${problem}.`;
  }
  return undefined;
}

function problemOfOption(option: Option, given: readonly (string | boolean)[]): string | undefined {
  if (option.isRequired && given.length === 0) return 'is missing';
  if (!option.isList && given.length > 1) return 'may be given only once';
  for (const value of given) {
    const problem = typeof value === 'string' ? option.rule?.(value) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}
