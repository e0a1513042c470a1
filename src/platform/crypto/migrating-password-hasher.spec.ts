import { Argon2PasswordHasher, isArgon2Hash } from './argon2-password-hasher';
import { isForeignHash } from './foreign-hashes';
import { HashingQueue } from './hashing-queue';
import { MigratingPasswordHasher } from './migrating-password-hasher';

const BCRYPT = '$2b$04$EILJZtOSlKZ4wdy6C7yCweeZXce//e15YLB67ODMh0WWRLwm7tv.C';
const CHEAP = { memoryKib: 64, passes: 1 };

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
  ])('limits memory times passes: %i KiB in %i passes, accepted: %s', (memory, passes, accepted) => {
    expect(isArgon2Hash(argon2(memory, passes))).toBe(accepted);
  });

  it.each([
    ['sha1', 5_000_000, 20, true],
    ['sha1', 5_000_000, 21, false],
    ['sha1', 2_500_000, 40, true],
    ['sha256', 2_500_001, 64, false],
    ['sha512', 5_000_000, 64, true],
    ['sha512', 2_500_001, 128, false],
  ])(
    'limits iterations times blocks: %s, %i iterations, %i bytes, accepted: %s',
    (...[digest, rounds, bytes, accepted]) => {
      expect(isForeignHash(pbkdf2(digest, rounds, bytes))).toBe(accepted);
    },
  );
});
