import type { INestApplicationContext } from '@nestjs/common';

/** The arguments after the name of a command. */
export interface Typed {
  readonly words: readonly string[];
  /** By name: a text, true for a flag, or a list for an option that may be repeated. */
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
}

/** The input of a command: its arguments, its options, the service and the terminal. */
export interface Invocation extends Typed {
  readonly service: INestApplicationContext;
  readonly terminal: Terminal;
}

/** A word that must follow the name of the command. */
export interface Argument {
  /** As the usage line shows it, such as `USER`. */
  readonly name: string;
  readonly summary: string;
  readonly choices?: readonly string[];
  /** The field of the service's input that the argument sets, to name the argument in an error. */
  readonly field?: string;
}

/** An option of a command. */
export interface Option {
  readonly summary: string;
  /** The name of its value in the usage line. Undefined: a flag without a value. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly isRequired?: boolean;
  /** Whether it may be given several times. */
  readonly isList?: boolean;
  /** The field of the service's input that it sets, to name the option in an error. Default: its name with `_`. */
  readonly field?: string;
  /** Returns the rule that a value violates, such as `must be a whole number`. */
  rule?(value: string): string | undefined;
}

/** A row of the table from which parsing, help and completion come. */
interface CommandShape {
  /** The words of the command, such as `settings export`. */
  readonly name: string;
  readonly summary: string;
  /** A command line after the program's name. */
  readonly example: string;
  readonly arguments?: readonly Argument[];
  readonly options?: Readonly<Record<string, Option>>;
  /** Whether the command prints data, which adds `--json`. */
  readonly printsData?: boolean;
  /** Validates the arguments before the service starts. Errors: `UsageError`. */
  check?(typed: Typed): void;
}

export interface ServiceCommand extends CommandShape {
  /** The question before a destructive command, which adds `--yes`. */
  question?(typed: Typed): string;
  /** Whether the database schema must be that of this build. Default true. */
  readonly needsSchema?: boolean;
  /**
   * Whether the encryption keys must decrypt the database's values. Default true. False for commands that neither
   * encrypt nor decrypt.
   */
  readonly needsKeys?: boolean;
  run(invocation: Invocation): Promise<void>;
}

/** A command that needs no service. */
export interface StaticCommand extends CommandShape {
  output(typed: Typed): string;
}

export type Command = ServiceCommand | StaticCommand;

export const isStatic = (command: Command): command is StaticCommand => 'output' in command;

/** The input and output of a command. */
export interface Terminal {
  /** Never throws. A failed write shows in `isOver` and in `finish`. */
  write(text: string): void;
  /** Whether the reader has closed the output. A command that only writes can stop. */
  readonly isOver: boolean;
  /** Whether a person reads the output, not a program. */
  readonly isScreen: boolean;
  /** Whether a person can answer questions. */
  readonly isInteractive: boolean;
  /**
   * Resolves when all output is written. Errors: `CommandError` if a write failed. A reader who closed the output early
   * is no error.
   */
  finish(): Promise<void>;
  /** Reads standard input. */
  readInput(): Promise<string>;
  /** Reads a secret without echo or from standard input. Never from the arguments, which other processes can read. */
  readSecret(prompt: string): Promise<string>;
  /** Shows a text in place of the last one, until something is written. Only on a screen. An empty one removes it. */
  showStatus(text: string): void;
  /** Asks a person a question and returns the answer. */
  ask(question: string): Promise<string>;
}

/** An invalid configuration ends with 78 instead, as the server does. */
export const exitCodes = { ok: 0, failure: 1, usage: 2 } as const;

/** The arguments of the command are invalid. */
export class UsageError extends Error {}

/** The command failed. The message is written for the operator. */
export class CommandError extends Error {}
