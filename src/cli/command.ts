import type { INestApplicationContext } from '@nestjs/common';
import type { ParseArgsConfig } from 'node:util';

/** What was typed after a command's name. */
export interface Typed {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

/** What a command is given: its words, its options, and the world outside. */
export interface Invocation extends Typed {
  readonly service: INestApplicationContext;
  readonly terminal: Terminal;
}

export interface Command {
  /** As it is typed: `settings export`. */
  readonly name: string;
  /** What follows the name. */
  readonly usage: string;
  readonly summary: string;
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  /** How many words may follow the name. */
  readonly words?: { readonly least: number; readonly most: number };
  /** Whether the tables must be those of this build. Default true. */
  readonly needsSchema?: boolean;
  /** Whether the encryption keys must open what the database holds. Default true; false where nothing is sealed or opened. */
  readonly needsKeys?: boolean;
  /** Judges what was typed before the service is opened. Errors: `UsageError`. */
  check?(typed: Typed): void;
  run(invocation: Invocation): Promise<void>;
}

/** Where the command's person sits. */
export interface Terminal {
  /** Never fails: what could not be written shows in `isOver` and at the end. */
  write(text: string): void;
  /** Whether the reader has gone: a command that only writes may stop. */
  readonly isOver: boolean;
  /** Resolves when all is written. Errors: `CommandError` where it could not be; a reader who has read enough is none. */
  finish(): Promise<void>;
  /** The text that is piped in. */
  readInput(): Promise<string>;
  /** A secret, typed unseen or piped in; never taken from the arguments, which every process of the machine can read. */
  readSecret(prompt: string): Promise<string>;
}

export const exitCodes = { ok: 0, failure: 1, usage: 64 } as const;

/** The command was typed wrong. */
export class UsageError extends Error {}

/** The command cannot do what it was asked; the message is for a person. */
export class CommandError extends Error {}
