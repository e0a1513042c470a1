import { Argument, Command, isStatic, Option } from './command';
import { jsonOption, yesOption } from './option';

export const PROGRAM = 'castellan';

export const wordsOf = ({ name }: Command): number => name.split(' ').length;

/** All options of the command, with those that its kind adds. */
export const optionsOf = (command: Command): Readonly<Record<string, Option>> => ({
  ...command.options,
  ...(!isStatic(command) && command.question && { yes: yesOption }),
  ...(command.printsData && { json: jsonOption }),
});

export const argumentsOf = (command: Command): readonly Argument[] => command.arguments ?? [];

/** An option as it is typed, such as `--limit N`. */
export const optionText = (name: string, { value }: Option): string =>
  value === undefined ? `--${name}` : `--${name} ${value}`;

function inUsage([name, option]: [string, Option]): string {
  const text = optionText(name, option);
  return `${option.isRequired ? text : `[${text}]`}${option.isList ? '...' : ''}`;
}

/** The command with its arguments and options, on one line. */
export function typedAs(command: Command): string {
  const options = Object.entries(optionsOf(command));
  const required = options.filter(([, { isRequired }]) => isRequired);
  const others = options.filter(([, { isRequired }]) => !isRequired);
  const words = argumentsOf(command).map(({ name }) => name);
  return [command.name, ...required.map(inUsage), ...words, ...others.map(inUsage)].join(' ');
}

export const usageOf = (command: Command): string => `Usage: ${typedAs(command)}`;

function section(title: string, rows: readonly (readonly [string, string])[]): string[] {
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(([name]) => name.length));
  return ['', title, ...rows.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`)];
}

/** The help of one command. */
export function helpOfCommand(command: Command): string {
  const words = argumentsOf(command).map(({ name, summary }) => [name, summary] as const);
  const options = Object.entries(optionsOf(command)).map(
    ([name, option]) => [optionText(name, option), option.summary] as const,
  );
  const lines = [
    usageOf(command),
    '',
    command.summary,
    ...section('Arguments:', words),
    ...section('Options:', options),
    '',
    'Example:',
    `  ${PROGRAM} ${command.example}`,
  ];
  return `${lines.join('\n')}\n`;
}
