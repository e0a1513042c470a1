import { isDeepStrictEqual } from 'node:util';
import { ProblemError } from '../../platform/errors';

export type DeclaredKind = 'permission' | 'role' | 'attribute' | 'setting';

/** Something that the code of a host declares. Contents are JSON. */
export interface DeclaredItem {
  readonly kind: DeclaredKind;
  readonly name: string;
  readonly content: unknown;
  /** What is in force; undefined if it does not exist or was never set. */
  read(): Promise<unknown>;
  write(): Promise<void>;
  /** Whether what is in force was left by former code although it differs from `last`. Default: it was not. */
  isLeftOver?(last: unknown, current: unknown): boolean;
}

/** A content before and after a change of the code. Undefined: it does not exist, or was never declared. */
export interface DeclarationStates {
  /** What the code declared when it was last applied. */
  readonly last: unknown;
  readonly declared: unknown;
  readonly current: unknown;
}

/**
 * What to do about a declaration: operators own what they changed, and what they deleted stays deleted. `keep`: there is
 * nothing to do. `leave`: both the code and an operator changed it, and the operator's state stays.
 */
export function decide({ last, declared, current }: DeclarationStates): 'write' | 'keep' | 'leave' {
  if (isDeepStrictEqual(last, declared)) return 'keep';
  if (isDeepStrictEqual(current, declared)) return 'keep';
  return isDeepStrictEqual(last, current) ? 'write' : 'leave';
}

/** Names the declaration in the error that ends the start. */
export async function naming<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const fields = error.fields.map(({ field, code }) => `${field} (${code})`);
    throw new Error(`The declared ${what} is rejected: ${fields.join(', ') || error.code}`, { cause: error });
  }
}
