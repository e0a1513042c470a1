import type { INestApplicationContext } from '@nestjs/common';
import type { ParseArgsConfig } from 'node:util';

/** The arguments after the name of a command. */
export interface Typed {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

/** The input of a command: its arguments, its options, the service and the terminal. */
export interface Invocation extends Typed {
  readonly service: INestApplicationContext;
  readonly terminal: Terminal;
}

export interface Command {
  /** The words of the command, such as `settings export`. */
  readonly name: string;
  /** The arguments after the name, as the usage line shows them. */
  readonly usage: string;
  readonly summary: string;
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  /** The number of words allowed after the name. Default: none. */
  readonly words?: { readonly min: number; readonly max: number };
  /** Whether the database schema must be that of this build. Default true. */
  readonly needsSchema?: boolean;
  /**
   * Whether the encryption keys must decrypt the database's values. Default true. False for commands that neither
   * encrypt nor decrypt.
   */
  readonly needsKeys?: boolean;
  /** Validates the arguments before the service starts. Errors: `UsageError`. */
  check?(typed: Typed): void;
  run(invocation: Invocation): Promise<void>;
}

/** The input and output of a command. */
export interface Terminal {
  /** Never throws. A failed write shows in `isOver` and in `finish`. */
  write(text: string): void;
  /** Whether the reader has closed the output. A command that only writes can stop. */
  readonly isOver: boolean;
  /**
   * Resolves when all output is written. Errors: `CommandError` if a write failed. A reader who closed the output early
   * is no error.
   */
  finish(): Promise<void>;
  /** Reads standard input. */
  readInput(): Promise<string>;
  /** Reads a secret without echo or from standard input. Never from the arguments, which other processes can read. */
  readSecret(prompt: string): Promise<string>;
}

export const exitCodes = { ok: 0, failure: 1, usage: 64 } as const;

/** The arguments of the command are invalid. */
export class UsageError extends Error {}

/** The command failed. The message is written for the operator. */
export class CommandError extends Error {}
