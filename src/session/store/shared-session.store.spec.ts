import { performance } from 'node:perf_hooks';
import { InvalidationListener, Invalidations, KeyValueCache, MemoryCache } from '../../platform/cache';
import { Database, DatabaseClock } from '../../platform/database';
import { RecordingLog } from '../../../test/support/service/recording-log';
import type { CachedSession } from './cached-session';
import { KnownVersionsService } from './known-versions.service';
import type { RecentRevocationsService, Revocations } from './recent-revocations.service';
import { SharedSessionStore } from './shared-session.store';
import { fake } from '../../../test/support/service/fake';

const ID = 'session-1';
const KEY = `session:${ID}`;
const START = 1_000_000;

describe('SharedSessionStore', () => {
  let now: number;
  let cache: MemoryCache;
  let known: Revocations;
  let log: RecordingLog;
  let listeners: InvalidationListener[];

  const clock = { now: () => now } as DatabaseClock;
  const revocations = fake<RecentRevocationsService>({ get: () => known });
  const invalidations = fake<Invalidations>({
    subscribe: (_: string, listener: InvalidationListener) => listeners.push(listener),
    publish: async (_: string, keys: string[]) => {
      for (const listener of listeners) listener.invalidate(keys);
    },
  });
  const versions = (): KnownVersionsService => new KnownVersionsService(invalidations, clock);
  const instance = (shared: KeyValueCache = cache, isEmbedded = true): SharedSessionStore =>
    new SharedSessionStore(shared, revocations, versions(), clock, { isEmbedded } as Database, log);

  const session = (change: Partial<CachedSession> = {}): CachedSession => ({
    id: ID,
    userId: 'user-1',
    counter: 1,
    revoked: false,
    createdAt: START,
    authenticatedAt: START,
    rotatedAt: START,
    readAt: now,
    expiresAt: START + 3_600_000,
    secondFactorAt: null,
    amr: ['pwd'],
    loginMethod: 'password',
    actor: null,
    ...change,
  });
  const found = async (by: SharedSessionStore): Promise<CachedSession | undefined> => (await by.find(ID)).value;

  beforeEach(() => {
    now = START;
    cache = new MemoryCache({ now: () => now });
    known = { ids: new Set(), isIncomplete: false, since: 42, firstAskedAt: START };
    log = new RecordingLog();
    listeners = [];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });

  afterEach(() => jest.restoreAllMocks());

  it('finds the entry of another instance, with the time of the revocations', async () => {
    await instance().write(session());
    expect(await instance().find(ID)).toEqual({ value: session(), since: 42 });
  });

  it('stores only what a session check needs', async () => {
    await instance().write(session());
    expect(Object.keys((await cache.get<object>(KEY)) ?? {}).sort()).toEqual(Object.keys(session()).sort());
  });

  it.each([
    { age: 59_999, isFound: true },
    { age: 60_000, isFound: false },
  ])('uses an entry of $age ms: $isFound', async ({ age, isFound }) => {
    const one = instance();
    await one.write(session());
    const stored = await cache.get(KEY);
    now += age;
    // Writes it directly, as if the entry did not expire in the store.
    await cache.set(KEY, stored, 3_600);
    expect((await found(one)) !== undefined).toBe(isFound);
  });

  it('never replaces a newer state with an older one', async () => {
    const one = instance();
    await one.write(session({ counter: 2 }));
    await one.write(session({ counter: 1 }));
    await one.write(session({ counter: 2, secondFactorAt: START + 5_000 }));
    await one.store(ID, session({ counter: 2 }));
    expect(await found(one)).toMatchObject({ counter: 2, secondFactorAt: START + 5_000 });
  });

  describe('with an older entry written back', () => {
    let one: SharedSessionStore;
    const writeBack = async (): Promise<void> => cache.set(KEY, session({ counter: 1 }), 60);

    beforeEach(() => {
      one = instance();
    });

    it.each([
      ['stored', () => one.store(ID, session({ counter: 2 }))],
      ['written', () => one.write(session({ counter: 2 }))],
      [
        'read from the cache',
        async () => {
          await instance().write(session({ counter: 2 }));
          await one.find(ID);
        },
      ],
      ['received', () => versions().announce(session({ counter: 2 }))],
    ])('ignores it when this instance has %s a later version', async (_, learn) => {
      await writeBack();
      expect(await found(one)).toMatchObject({ counter: 1 });
      await learn();
      await writeBack();
      expect(await found(one)).toBeUndefined();
      await cache.set(KEY, session({ counter: 2 }), 60);
      expect(await found(one)).toMatchObject({ counter: 2 });
    });

    it('ignores it when messages may have been missed since its read', async () => {
      await writeBack();
      now += 1;
      for (const listener of listeners) listener.invalidateAll();
      expect(await found(one)).toBeUndefined();
      await writeBack();
      expect(await found(one)).toMatchObject({ counter: 1 });
    });

    it('ignores messages that it does not understand', async () => {
      for (const listener of listeners) listener.invalidate([ID, `${ID}:`, `${ID}:x`, `:2`]);
      await writeBack();
      expect(await found(one)).toMatchObject({ counter: 1 });
    });
  });

  it('never revives an ended session', async () => {
    const one = instance();
    await one.write(session());
    await one.writeEnds([ID]);
    await one.write(session({ counter: 9 }));
    expect([await found(one), await found(instance())]).toEqual([undefined, undefined]);
  });

  it('writes the end of a session that it reads as ended', async () => {
    await instance().store(ID, session({ revoked: true }));
    await instance().write(session({ counter: 9 }));
    expect(await found(instance())).toBeUndefined();
  });

  it('ignores a stale entry written back after an invalidation', async () => {
    const one = instance();
    await one.write(session());
    const stale = await cache.get(KEY);
    one.invalidate([ID]);
    await one.writeEnds([ID]);
    await cache.set(KEY, stale, 60);
    expect(await found(one)).toBeUndefined();
  });

  it('ignores a stale entry when the database has a revocation', async () => {
    await instance().write(session());
    known = { ...known, ids: new Set([ID]) };
    expect(await found(instance())).toBeUndefined();
  });

  it('ignores entries when the database has more revocations than the limit', async () => {
    await instance().write(session());
    known = { ...known, isIncomplete: true };
    expect(await found(instance())).toBeUndefined();
  });

  it('ignores an entry older than the instance', async () => {
    await instance().write(session());
    known = { ...known, firstAskedAt: START + 1 };
    expect(await found(instance())).toBeUndefined();
  });

  it('ignores a malformed entry', async () => {
    await cache.set(KEY, { ...session(), amr: 'pwd' }, 60);
    expect(await found(instance())).toBeUndefined();
  });

  it('ignores an entry whose session ends during the read', async () => {
    const one = instance();
    await one.write(session());
    const finding = found(one);
    one.invalidate([ID]);
    expect(await finding).toBeUndefined();
  });

  it.each([
    { isEmbedded: true, isFound: true },
    { isEmbedded: false, isFound: false },
  ])('uses process memory only with an embedded database ($isEmbedded)', async ({ isEmbedded, isFound }) => {
    const one = instance(cache, isEmbedded);
    await one.write(session());
    expect((await found(one)) !== undefined).toBe(isFound);
  });

  it('ignores the fallback memory of an unavailable store', async () => {
    await instance().write(session());
    const other = fake<KeyValueCache>({ isDegraded: true, get: (key: string) => cache.get(key) });
    expect(await found(instance(other))).toBeUndefined();
  });

  it('falls back to the database and logs when the cache fails', async () => {
    const failing = fake<KeyValueCache>({
      isDegraded: false,
      get: () => Promise.reject(new Error('cache away')),
      setIfNewer: () => Promise.reject(new Error('cache away')),
    });
    const one = instance(failing);
    await expect(one.writeEnds([ID])).resolves.toBeUndefined();
    expect(await found(one)).toBeUndefined();
    expect(log.lines.length).toBeGreaterThan(0);
  });
});
