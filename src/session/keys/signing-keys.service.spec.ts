import { EncryptionKeys, SecretBox } from '../../platform/crypto';
import { SigningKey } from './signing-key.entity';
import { SigningKeysService } from './signing-keys.service';
import { fakeArguments } from '../../../test/support/service/fake';

type Parts = ConstructorParameters<typeof SigningKeysService>;

const NOW = new Date('2030-01-01T00:00:00Z');

describe('SigningKeysService', () => {
  let stored: SigningKey[];
  let ahead: number[];
  let reads: number;
  let keys: SigningKeysService;

  beforeEach(() => {
    stored = [];
    ahead = [];
    reads = 0;
    const repository = {
      findCurrent: async () => {
        reads++;
        return { keys: stored, now: NOW };
      },
      insert: async (key: object, seconds: number) => {
        ahead.push(seconds);
        const signsFrom = new Date(NOW.getTime() + seconds * 1_000);
        stored = [Object.assign(new SigningKey(), key, { createdAt: NOW, signsFrom }), ...stored];
      },
      lock: async () => undefined,
    };
    const createSnapshot = (_: string, read: () => Promise<unknown>): object => {
      let kept: Promise<unknown> | undefined;
      const invalidateLocal = (): void => {
        kept = undefined;
      };
      return { get: () => (kept ??= read()), invalidateLocal, invalidate: invalidateLocal };
    };
    keys = new SigningKeysService(
      ...fakeArguments<Parts>([
        { createSnapshot },
        repository,
        new SecretBox(EncryptionKeys.parse(EncryptionKeys.generate())),
        { run: (work: () => Promise<void>) => work() },
        { observe: () => undefined },
        {},
        {},
      ]),
    );
  });

  it('signs with the first key at once, and with the next ones after a minute', async () => {
    await keys.ensure('session');
    await keys.ensure('session');
    expect(ahead).toEqual([0]);
    const next = await keys.next({ usage: 'session', algorithm: 'ES256' });
    await next.publish();
    const [, first] = stored;
    expect(await (await keys.next({ usage: 'session', algorithm: 'ES256' })).publishAfter(first!.id)).toBe(false);
    expect(await (await keys.next({ usage: 'session', algorithm: 'ES256' })).publishAfter(next.kid)).toBe(true);
    expect(ahead).toEqual([0, 60, 60]);
    expect((await keys.list()).map(({ state }) => state)).toEqual(['pending', 'pending', 'signing']);
    expect((await keys.current('session')).kid).toBe(first!.id);
  });

  it('reads the keys again for an unknown id, at most once in five seconds', async () => {
    await keys.ensure('session');
    const clock = jest.spyOn(performance, 'now');
    const readsAt = async (milliseconds: number): Promise<number> => {
      clock.mockReturnValue(milliseconds);
      const before = reads;
      expect(await keys.findPublic('session', 'unknown')).toBeUndefined();
      return reads - before;
    };
    await keys.jwks();
    expect([await readsAt(1_000), await readsAt(5_999), await readsAt(6_000)]).toEqual([1, 0, 1]);
    clock.mockRestore();
  });

  it('finds a key that another instance has published, for its usage only', async () => {
    await keys.ensure('session');
    await keys.jwks();
    const next = await keys.next({ usage: 'oauth', algorithm: 'ES256' });
    const publishing = next.publish();
    await publishing;
    expect(await keys.findPublic('oauth', next.kid)).toBeDefined();
    expect(await keys.findPublic('session', next.kid)).toBeUndefined();
  });
});
