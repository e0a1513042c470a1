import { dictionary } from '@zxcvbn-ts/language-common';

const HOW_MANY = 10_000;

/** No password may be shorter, so shorter entries would only waste places in the list. */
const SHORTEST = 8;

let common: ReadonlySet<string> | undefined;

/**
 * The 10,000 most common passwords, in lower case. The package lists some 49,000 by falling rank, most of the first ones
 * shorter than we allow; the most common of at least 8 characters are taken (ASVS 5.0 §6.2.4 counts those that match the policy).
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
