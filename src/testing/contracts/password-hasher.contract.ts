import { equal, notEqual, ok } from 'node:assert/strict';
import type { PasswordHasher } from '../../platform/crypto';
import { ContractCase, contractOf, forEach, Make, Promises, UnderTest } from './contract-case';
import { quickest } from './quickest';

export interface HasherUnderTest extends UnderTest {
  readonly hasher: PasswordHasher;
}

type Kept = Promises<HasherUnderTest>;

const PASSWORD = ' Pässword 1 ';
/** Below it, what is measured is the machine rather than the work. */
const MEASURABLE_MS = 1;
/** The work of nothing may be this much quicker than a wrong password, not more. */
const MAX_TIMES = 5;

const judging: Kept = {
  'salts: two hashes of one password differ': async ({ hasher }) => {
    notEqual(await hasher.hash('same'), await hasher.hash('same'));
  },
  'keeps no plaintext in the hash': async ({ hasher }) => {
    equal((await hasher.hash('correct horse')).includes('correct horse'), false);
  },
  ...forEach<[string, string, boolean], HasherUnderTest>(
    [
      ['the exact password', PASSWORD, true],
      ['the same in NFD', PASSWORD.normalize('NFD'), true],
      ['another case', PASSWORD.toLowerCase(), false],
      ['a trimmed one', PASSWORD.trim(), false],
      ['one with a line feed after it', `${PASSWORD}\n`, false],
      ['the empty text', '', false],
    ],
    ([name, , isRight]) => `judges ${name}: ${isRight}`,
    async ({ hasher }, [, given, isRight]) => {
      equal(await hasher.verify(given, await hasher.hash(PASSWORD)), isRight);
    },
  ),
  'tells passwords apart that are equal in their first 72 bytes, or end in a NUL': async ({ hasher }) => {
    const head = 'x'.repeat(72);
    equal(await hasher.verify(`${head}b`, await hasher.hash(`${head}a`)), false);
    equal(await hasher.verify(head, await hasher.hash(`${head}\0a`)), false);
  },
};

const odd: Kept = {
  ...forEach<string, HasherUnderTest>(
    ['', 'plaintext', '$', '$argon2id$v=19$m=64,t=1,p=1$abc$def', '\0', 'x'.repeat(10_000)],
    (hash) => `calls the malformed hash ${JSON.stringify(hash.slice(0, 40))} false, and outdated`,
    async ({ hasher }, hash) => {
      equal(await hasher.verify('plaintext', hash), false);
      equal(hasher.needsRehash(hash), true);
    },
  ),
  'wants no rehash of what it has just made': async ({ hasher }) => {
    equal(hasher.needsRehash(await hasher.hash('secret')), false);
  },
  'verifies nothing with the work of a wrong password': async ({ hasher }) => {
    const hash = await hasher.hash('secret');
    equal(await hasher.verifyNothing('wrong'), false);
    const wrong = await quickest(() => hasher.verify('wrong', hash));
    const nothing = await quickest(() => hasher.verifyNothing('wrong'));
    ok(wrong < MEASURABLE_MS || nothing > wrong / MAX_TIMES, `${nothing} ms for nothing, ${wrong} ms for a wrong one`);
  },
};

/** What every `PasswordHasher` promises. Give it light parameters, or a minute. */
export function passwordHasherContract(make: Make<HasherUnderTest>): ContractCase[] {
  return contractOf(make, { ...judging, ...odd });
}
