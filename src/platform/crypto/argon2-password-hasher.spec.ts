import fc from 'fast-check';
import { Argon2PasswordHasher } from './argon2-password-hasher';
import { HashingQueue } from './hashing-queue';

const light = { memoryKib: 64, passes: 1, lanes: 1 };
const hasher = new Argon2PasswordHasher(light);
const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));

describe('Argon2PasswordHasher', () => {
  it('creates argon2id PHC strings with the OWASP parameters by default', async () => {
    const hash = await new Argon2PasswordHasher().hash('correct horse');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  });

  it('hashes a hostile 64 KiB text without slow normalization', async () => {
    const hostile = '\u0301\u0316'.repeat(32_768);
    const hash = await hasher.hash('something');
    const started = performance.now();
    expect(await hasher.verify(hostile, hash)).toBe(false);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it.each([
    '',
    'plaintext',
    '$argon2id$',
    '$argon2id$v=19$m=64,t=1,p=1$abc$def',
    '$2b$10$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234',
    '$argon2id$v=19$m=4294967295,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$RdescudvJCsgt3ub+b4dWRWJTmaaJObG',
    '$argon2id$v=19$m=64,t=4294967295,p=1$c29tZXNhbHRzb21lc2FsdA$RdescudvJCsgt3ub+b4dWRWJTmaaJObG',
    '$argon2id$v=19$m=1,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$RdescudvJCsgt3ub+b4dWRWJTmaaJObG',
  ])('rejects the malformed or excessive hash %j, which needs a rehash', async (hash) => {
    expect(await hasher.verify('plaintext', hash)).toBe(false);
    expect(hasher.needsRehash(hash)).toBe(true);
  });

  it('never throws on arbitrary hashes and passwords', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (password, hash) => {
        expect(await hasher.verify(password, hash)).toBe(false);
        expect(hasher.needsRehash(hash)).toBe(true);
      }),
    );
    const hash = await hasher.hash('known');
    await fc.assert(
      fc.asyncProperty(anyText, async (password) => {
        await hasher.verify(password, hash);
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    { name: 'its own parameters', made: light, needs: false },
    { name: 'less memory', made: { ...light, memoryKib: 32 }, needs: true },
    { name: 'more memory', made: { ...light, memoryKib: 128 }, needs: true },
    { name: 'more passes', made: { ...light, passes: 2 }, needs: true },
    { name: 'more lanes', made: { ...light, lanes: 2 }, needs: true },
  ])('verifies a hash with $name and needs a rehash: $needs', async ({ made, needs }) => {
    const hash = await new Argon2PasswordHasher(made).hash('secret');
    expect(await hasher.verify('secret', hash)).toBe(true);
    expect(hasher.needsRehash(hash)).toBe(needs);
  });

  it('needs a rehash of other argon2 variants and versions', async () => {
    const hash = await hasher.hash('secret');
    expect(hasher.needsRehash(hash.replace('$argon2id$', '$argon2i$'))).toBe(true);
    expect(hasher.needsRehash(hash.replace('v=19', 'v=16'))).toBe(true);
  });

  it('does the work of a wrong password in verifyNothing, from the first call on', async () => {
    const heavy = new Argon2PasswordHasher({ memoryKib: 16_384, passes: 2 });
    const hash = await heavy.hash('secret');
    const timeOf = async (work: () => Promise<boolean>): Promise<number> => {
      const started = performance.now();
      expect(await work()).toBe(false);
      return performance.now() - started;
    };
    const nothing = await timeOf(() => heavy.verifyNothing('wrong'));
    const wrong: number[] = [];
    // Load only adds time: the shortest run shows the work.
    for (let count = 0; count < 5; count++) wrong.push(await timeOf(() => heavy.verify('wrong', hash)));
    expect(nothing).toBeGreaterThan(Math.min(...wrong) / 5);
  });

  it('hashes inside the queue and reports its overload as an error', async () => {
    const queue = new HashingQueue({ concurrency: 1, maxWaiting: 0 });
    const queued = new Argon2PasswordHasher(light, queue);
    const hash = await queued.hash('secret');
    const running = queued.verify('secret', hash);
    await Promise.resolve();
    expect(queue.running).toBe(1);
    await expect(queued.hash('secret')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(queued.verify('secret', hash)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(queued.verifyNothing('secret')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await running).toBe(true);
    expect(queue.running).toBe(0);
  });
});
