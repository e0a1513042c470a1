import { createHash } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import os from 'node:os';
import { Argon2PasswordHasher, isArgon2Hash } from './argon2-password-hasher';
import { isForeignHash, weakHash } from './foreign-hashes';
import { HashingQueue } from './hashing-queue';
import { MigratingPasswordHasher } from './migrating-password-hasher';
import { PasswordHasher } from './password-hasher';

const BCRYPT = '$2b$04$EILJZtOSlKZ4wdy6C7yCweeZXce//e15YLB67ODMh0WWRLwm7tv.C';
const CHEAP = { memoryKib: 64, passes: 1 };

/** Verifies until it is released, and records calls of `verifyNothing`. */
class RecordingHasher extends PasswordHasher {
  verifying = 0;
  readonly nothings: string[] = [];
  release!: () => void;
  private readonly released = new Promise<void>((resolve) => (this.release = resolve));

  override hash(plaintext: string): Promise<string> {
    return Promise.resolve(plaintext);
  }
  override async verify(): Promise<boolean> {
    this.verifying++;
    await this.released;
    return true;
  }
  override needsRehash(stored: string): boolean {
    return stored === 'outdated';
  }
  override verifyNothing(plaintext: string): Promise<false> {
    this.nothings.push(plaintext);
    return Promise.resolve(false);
  }
}

describe('MigratingPasswordHasher', () => {
  it('verifies foreign and outdated hashes in a separate queue', async () => {
    const foreign = new HashingQueue({ concurrency: 1 });
    const own = new Argon2PasswordHasher(CHEAP, new HashingQueue({ concurrency: 1 }));
    const hasher = new MigratingPasswordHasher(own, foreign);
    const [today, outdated] = [await hasher.hash('secret'), await new Argon2PasswordHasher().hash('secret')];
    let release = (): void => undefined;
    const held = foreign.run(() => new Promise<void>((resolve) => (release = resolve)));
    let settled = 0;
    const waiting = [hasher.verify('secret', outdated), hasher.verify('secret', BCRYPT)].map(async (verification) => {
      await verification;
      settled++;
    });
    expect(await hasher.verify('secret', today)).toBe(true);
    expect(await hasher.verify('wrong', today)).toBe(false);
    expect([settled, foreign.waiting]).toEqual([0, 2]);
    release();
    await Promise.all([held, ...waiting]);
    expect(await hasher.verify('secret', outdated)).toBe(true);
  });

  it('verifies outdated hashes with half of the cores, but with one at least', async () => {
    for (const [cores, expected] of [
      [8, 4],
      [3, 1],
      [1, 1],
    ] as const) {
      const parallelism = jest.spyOn(os, 'availableParallelism').mockReturnValue(cores);
      const own = new RecordingHasher();
      const hasher = new MigratingPasswordHasher(own);
      parallelism.mockRestore();
      const all = Array.from({ length: 9 }, () => hasher.verify('secret', 'outdated'));
      await new Promise(setImmediate);
      expect(own.verifying).toBe(expected);
      own.release();
      await Promise.all(all);
    }
  });

  it('does the work of an own hash for a weak one only', async () => {
    const own = new RecordingHasher();
    const hasher = new MigratingPasswordHasher(own);
    const weak = weakHash('md5', [''], createHash('md5').update('secret').digest('hex'))!;
    expect(await hasher.verify('secret', weak)).toBe(true);
    expect(own.nothings).toEqual(['secret']);
    await hasher.verify('secret', BCRYPT);
    expect(own.nothings).toHaveLength(1);
  });

  it.each([
    ['composed', 'caf\u00e9'],
    ['decomposed', 'cafe\u0301'],
    ['Vietnamese, decomposed', 'vie\u0323\u0302t nam'],
    ['Korean, decomposed', '\u1112\u1161\u11ab\u1100\u1173\u11af'],
    ['Japanese, decomposed', '\u304b\u3099'],
  ])('verifies an argon2 hash of another system of a password that is %s, however it is typed', async (_, hashed) => {
    const hasher = new MigratingPasswordHasher(new Argon2PasswordHasher(CHEAP));
    const stored = await hash(hashed, { memoryCost: 7_168, timeCost: 1, parallelism: 1 });
    for (const typed of [hashed, hashed.normalize('NFC'), hashed.normalize('NFD')]) {
      expect(await hasher.verify(typed, stored)).toBe(true);
    }
    expect(await hasher.verify(`${hashed}!`, stored)).toBe(false);
    expect(hasher.needsRehash(stored)).toBe(true);
  });

  it('verifies a password as typed, composed or decomposed', async () => {
    const hasher = new MigratingPasswordHasher(new RecordingHasher());
    const hashOf = (password: string): string =>
      weakHash('md5', [''], createHash('md5').update(password).digest('hex'))!;
    const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'];
    expect(await hasher.verify(decomposed, hashOf(decomposed))).toBe(true);
    expect(await hasher.verify(decomposed, hashOf(composed))).toBe(true);
    expect(await hasher.verify(composed, hashOf(decomposed))).toBe(true);
    expect(await hasher.verify(decomposed, hashOf('secret'))).toBe(false);
  });

  it('needs a rehash of foreign and of outdated hashes', () => {
    const hasher = new MigratingPasswordHasher(new RecordingHasher());
    expect(['current', 'outdated', BCRYPT].map((stored) => hasher.needsRehash(stored))).toEqual([false, true, true]);
  });
});

describe('cost limits of stored hashes', () => {
  const base64 = (bytes: number): string => Buffer.alloc(bytes, 7).toString('base64').replaceAll('=', '');
  const argon2 = (memory: number, passes: number): string =>
    `$argon2id$v=19$m=${memory},t=${passes},p=1$${base64(16)}$${base64(32)}`;
  const pbkdf2 = (digest: string, iterations: number, bytes: number): string =>
    `$pbkdf2-${digest}$i=${iterations}$${base64(16)}$${base64(bytes)}`;

  it.each([
    [19_456, 2, true],
    [1_048_576, 2, true],
    [65_536, 32, true],
    [1_048_576, 3, false],
    [65_536, 33, false],
    [1_048_577, 1, false],
    [64, 64, true],
    [64, 65, false],
  ])('limits memory times passes: %i KiB in %i passes, accepted: %s', (memory, passes, accepted) => {
    expect(isArgon2Hash(argon2(memory, passes))).toBe(accepted);
  });

  it('limits the lanes to 64', () => {
    const withLanes = (lanes: number): string => argon2(1_024, 1).replace('p=1', `p=${lanes}`);
    expect(isArgon2Hash(withLanes(64))).toBe(true);
    expect(isArgon2Hash(withLanes(65))).toBe(false);
  });

  it.each([
    ['sha1', 5_000_000, 20, true],
    ['sha1', 5_000_000, 21, false],
    ['sha1', 2_500_000, 40, true],
    ['sha256', 2_500_001, 64, false],
    ['sha512', 5_000_000, 64, true],
    ['sha256', 5_000_000, 32, true],
    ['sha256', 5_000_000, 33, false],
    ['sha512', 5_000_000, 65, false],
    ['sha512', 2_500_001, 128, false],
  ])(
    'limits iterations times blocks: %s, %i iterations, %i bytes, accepted: %s',
    (...[digest, rounds, bytes, accepted]) => {
      expect(isForeignHash(pbkdf2(digest, rounds, bytes))).toBe(accepted);
    },
  );
});
