import { equal, notEqual, ok } from 'node:assert/strict';
import type { PasswordHasher } from '../../platform/crypto';
import { ContractCase, contractOf, forEach, Make, Promises, UnderTest } from './contract-case';
import { quickest } from './quickest';

export interface HasherUnderTest extends UnderTest {
  readonly hasher: PasswordHasher;
}

type Kept = Promises<HasherUnderTest>;

const PASSWORD = ' Pässword 1 ';
/** Shorter times measure the machine rather than the work. */
const MEASURABLE_MS = 1;
/** `verifyNothing` may be at most this many times faster than a wrong password. */
const MAX_TIMES = 5;

const verifying: Kept = {
  'salts, so that two hashes of one password differ': async ({ hasher }) => {
    notEqual(await hasher.hash('same'), await hasher.hash('same'));
  },
  'keeps no plaintext in the hash': async ({ hasher }) => {
    equal((await hasher.hash('correct horse')).includes('correct horse'), false);
  },
  ...forEach<[string, string, boolean], HasherUnderTest>(
    [
      ['the exact password', PASSWORD, true],
      ['the password in NFD', PASSWORD.normalize('NFD'), true],
      ['the password in another case', PASSWORD.toLowerCase(), false],
      ['the trimmed password', PASSWORD.trim(), false],
      ['the password with a line feed appended', `${PASSWORD}\n`, false],
      ['the empty text', '', false],
    ],
    ([name, , isRight]) => `verifies ${name}: ${isRight}`,
    async ({ hasher }, [, given, isRight]) => {
      equal(await hasher.verify(given, await hasher.hash(PASSWORD)), isRight);
    },
  ),
  'distinguishes passwords with the same first 72 bytes, or with a NUL': async ({ hasher }) => {
    const head = 'x'.repeat(72);
    equal(await hasher.verify(`${head}b`, await hasher.hash(`${head}a`)), false);
    equal(await hasher.verify(head, await hasher.hash(`${head}\0a`)), false);
  },
};

const odd: Kept = {
  ...forEach<string, HasherUnderTest>(
    ['', 'plaintext', '$', '$argon2id$v=19$m=64,t=1,p=1$abc$def', '\0', 'x'.repeat(10_000)],
    (hash) => `rejects the malformed hash ${JSON.stringify(hash.slice(0, 40))} and reports it as outdated`,
    async ({ hasher }, hash) => {
      equal(await hasher.verify('plaintext', hash), false);
      equal(hasher.needsRehash(hash), true);
    },
  ),
  'needs no rehash of a new hash': async ({ hasher }) => {
    equal(hasher.needsRehash(await hasher.hash('secret')), false);
  },
  'does as much work without a hash as for a wrong password': async ({ hasher }) => {
    const hash = await hasher.hash('secret');
    equal(await hasher.verifyNothing('wrong'), false);
    const wrong = await quickest(() => hasher.verify('wrong', hash));
    const nothing = await quickest(() => hasher.verifyNothing('wrong'));
    ok(
      wrong < MEASURABLE_MS || nothing > wrong / MAX_TIMES,
      `${nothing} ms without a hash, ${wrong} ms for a wrong password`,
    );
  },
};

/** The contract of every `PasswordHasher`. Use light parameters, or expect a minute. */
export function passwordHasherContract(make: Make<HasherUnderTest>): ContractCase[] {
  return contractOf(make, { ...verifying, ...odd });
}
