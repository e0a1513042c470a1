import { AsyncLocalStorage } from 'node:async_hooks';
import { CacheFactory, NoInvalidations, ReadThroughCache } from '../../src/platform/cache';
import { Database, Transactions } from '../../src/platform/database';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

class RecordingInvalidations extends NoInvalidations {
  readonly published: [string, readonly string[] | undefined][] = [];

  override async publish(topic?: string, keys?: readonly string[]): Promise<void> {
    this.published.push([topic ?? '', keys]);
  }
}

/** Captured outside any transaction. */
const outsideOfTransactions = AsyncLocalStorage.snapshot();

describe('ReadThroughCache', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let transactions: Transactions;
  let invalidations: RecordingInvalidations;
  let cache: ReadThroughCache<string>;

  const put = async (value: string): Promise<void> => {
    await transactions.manager.query(`UPDATE pair SET value = $1 WHERE name = 'k'`, [value]);
  };
  const load = async (): Promise<string | undefined> => {
    const rows = await transactions.manager.query<{ value: string }[]>(`SELECT value FROM pair WHERE name = 'k'`);
    return rows[0]?.value;
  };
  const read = async (): Promise<string | undefined> => cache.get('k', load);

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const { url, embedded } = testDatabase;
    const ignore = (): void => undefined;
    database = await Database.open(
      { entities: [], migrations: [] },
      { ...(url !== undefined && { url }), ...(embedded && { embedded }), onPoolError: ignore, onWaiting: ignore },
    );
    transactions = new Transactions(database.dataSource, (error) => {
      throw error;
    });
    await testDatabase.query('CREATE TABLE pair (name text PRIMARY KEY, value text)');
    await testDatabase.query(`INSERT INTO pair VALUES ('k', '')`);
  });

  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  beforeEach(async () => {
    await put('old');
    invalidations = new RecordingInvalidations();
    cache = new CacheFactory(transactions, invalidations).create<string>('pair');
  });

  it('is invalidated here and on other instances with the commit', async () => {
    expect(await read()).toBe('old');
    await transactions.run(async () => {
      await put('new');
      await cache.invalidate('k');
      expect(invalidations.published).toEqual([]);
    });
    expect(await read()).toBe('new');
    expect(invalidations.published).toEqual([['pair', ['k']]]);
  });

  it('is not invalidated when the transaction rolls back', async () => {
    const failing = transactions.run(async () => {
      await put('new');
      await cache.invalidate('k');
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect([await read(), invalidations.published]).toEqual(['old', []]);
  });

  it('stores nothing that a rolled-back transaction read', async () => {
    const failing = transactions.run(async () => {
      await put('never committed');
      expect(await read()).toBe('never committed');
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await read()).toBe('old');
  });

  it('lets a transaction read while an outside load waits for the connection of the transaction', async () => {
    let outside: Promise<string | undefined> | undefined;
    const inside = await transactions.run(async () => {
      await put('new');
      outside = new Promise((resolve, reject) => {
        // Started outside the transaction, as by another request.
        void outsideOfTransactions(() => read().then(resolve, reject));
      });
      await new Promise((resolve) => setTimeout(resolve, 20));
      await cache.invalidate('k');
      return read();
    });
    expect(inside).toBe('new');
    expect(['old', 'new']).toContain(await outside);
    expect(await read()).toBe('new');
  });

  it('shows a transaction its own change, and others the old state until the commit', async () => {
    expect(await read()).toBe('old');
    await transactions.run(async () => {
      expect(await read()).toBe('old');
      await put('new');
      await cache.invalidate('k');
      expect(await read()).toBe('new');
      expect(await outsideOfTransactions(read)).toBe('old');
    });
    expect(await read()).toBe('new');
  });

  it('loads once for concurrent reads in a transaction, and again after its change', async () => {
    let loads = 0;
    const counted = (): Promise<string | undefined> => {
      loads += 1;
      return load();
    };
    const readTwice = (): Promise<unknown> => Promise.all([cache.get('k', counted), cache.get('k', counted)]);
    await transactions.run(async () => {
      expect(await readTwice()).toEqual(['old', 'old']);
      expect(loads).toBe(1);
      const before = cache.get('k', counted);
      await put('new');
      await cache.invalidate('k');
      expect(await readTwice()).toEqual(['new', 'new']);
      expect([await before, loads]).toEqual(['old', 3]);
    });
  });

  it.each([
    { what: 'one key', forget: () => cache.invalidate('k') },
    { what: 'everything', forget: () => cache.invalidateAll() },
  ])('discards a load that began before the transaction changed $what', async ({ forget }) => {
    let arrive = (_value: string): void => undefined;
    const slowly = (): Promise<string> =>
      new Promise((resolve) => {
        arrive = resolve;
      });
    await transactions.run(async () => {
      const before = cache.get('k', slowly);
      await put('new');
      await forget();
      const after = read();
      arrive('old');
      expect([await before, await after, await read()]).toEqual(['old', 'new', 'new']);
    });
    expect(await read()).toBe('new');
  });

  it('is invalidated completely when the changed keys are unknown', async () => {
    expect(await read()).toBe('old');
    await transactions.run(async () => {
      await put('new');
      await cache.invalidateAll();
      await cache.invalidate('another');
      expect(await read()).toBe('new');
    });
    expect(await read()).toBe('new');
    expect(invalidations.published).toEqual([
      ['pair', undefined],
      ['pair', ['another']],
    ]);
  });

  it('invalidates all keys of a list', async () => {
    expect(await read()).toBe('old');
    const many = Array.from({ length: 200_000 }, (_, index) => `user ${index}`);
    await transactions.run(async () => {
      await put('new');
      await cache.invalidate([...many, 'k']);
      expect(await read()).toBe('new');
    });
    expect(await read()).toBe('new');
    expect(invalidations.published).toEqual([['pair', [...many, 'k']]]);
  });

  it('reloads a key after a local invalidation, which is not published', async () => {
    expect(await read()).toBe('old');
    await testDatabase.query(`UPDATE pair SET value = 'new' WHERE name = 'k'`);
    expect(await read()).toBe('old');
    cache.invalidateLocal('k');
    expect(await read()).toBe('new');
    expect(invalidations.published).toEqual([]);
  });

  it('returns a cached value synchronously', async () => {
    expect(await read()).toBe('old');
    expect(cache.get('k', load)).toBe('old');
  });

  it('rejects a second cache with the same name', () => {
    const caches = new CacheFactory(transactions, new NoInvalidations());
    caches.create('user');
    expect(() => caches.create('user')).toThrow('two caches named user');
  });
});
