import { dictionary } from '@zxcvbn-ts/language-common';

const HOW_MANY = 10_000;

/** Entries shorter than the minimum length could never match. */
const SHORTEST = 8;

let common: ReadonlySet<string> | undefined;

/**
 * The 10,000 most common passwords of at least 8 characters, in lower case (ASVS 5.0 §6.2.4 counts those that match the
 * policy). The package lists about 49,000, most common first.
 */
export function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(
    dictionary['passwords-common']
      .filter((entry) => entry.length >= SHORTEST)
      .slice(0, HOW_MANY)
      .map((entry) => entry.toLowerCase()),
  );
  return common;
}
