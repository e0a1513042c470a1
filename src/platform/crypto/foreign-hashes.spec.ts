import { createHash } from 'node:crypto';
import { isForeignHash, pbkdf2Hash, verifyForeignHash, weakHash } from './foreign-hashes';

const library = jest.requireActual<typeof import('@node-rs/bcrypt')>('@node-rs/bcrypt');
const bcrypt = (cost: string): string => `$2b$${cost}$${'a'.repeat(53)}`;
const digest = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');

describe('foreign hashes', () => {
  it.each([
    ['03', false],
    ['04', true],
    ['15', true],
    ['16', false],
  ])('limit the cost of bcrypt: %s, accepted: %s', (cost, accepted) => {
    expect(isForeignHash(bcrypt(cost))).toBe(accepted);
  });

  it('do not match when the library of bcrypt fails', async () => {
    const verify = jest.spyOn(library, 'verify').mockRejectedValue(new Error('Invalid hash'));
    expect(await verifyForeignHash('secret', bcrypt('04'))).toBe(false);
    verify.mockRestore();
  });

  it.each(['md5', 'sha256', 'sha512'] as const)('are weak hashes with %s, for any of the salts', async (algorithm) => {
    const plain = digest(algorithm, 'secret');
    const salted = digest(algorithm, `${plain}salt`);
    const hash = weakHash(algorithm, ['other', 'salt'], salted.toUpperCase())!;
    expect(hash).toMatch(/^\$weak-/);
    expect(await verifyForeignHash('secret', hash)).toBe(true);
    expect(await verifyForeignHash('wrong', hash)).toBe(false);
    expect(weakHash(algorithm, ['salt'], salted.slice(2))).toBeUndefined();
    for (const unsalted of [plain, digest(algorithm, plain)]) {
      expect(await verifyForeignHash('secret', weakHash(algorithm, [''], unsalted)!)).toBe(true);
      expect(await verifyForeignHash('secret', weakHash(algorithm, ['salt'], unsalted)!)).toBe(false);
    }
  });

  it('are no PBKDF2 hashes with another digest', () => {
    const parts = { iterations: 1_000, salt: Buffer.alloc(16, 7), hash: Buffer.alloc(32, 7) };
    expect(pbkdf2Hash('sha256', parts)).toMatch(/^\$pbkdf2-sha256\$i=1000\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(pbkdf2Hash('md5', parts)).toBeUndefined();
  });

  it.each(['', 'plaintext', '$argon2id$', bcrypt('31')])(
    'do not include %j, which verifies nothing',
    async (stored) => {
      expect(isForeignHash(stored)).toBe(false);
      expect(await verifyForeignHash('plaintext', stored)).toBe(false);
    },
  );
});
