import { AsyncLocalStorage } from 'node:async_hooks';
import { NoInvalidations, SharedState, SharedStates } from '../../src/platform/cache';
import { Database, Transactions } from '../../src/platform/database';
import { createTestDatabase, TestDatabase } from '../support/test-database';

class RecordingInvalidations extends NoInvalidations {
  readonly published: [string, readonly string[] | undefined][] = [];

  override async publish(topic?: string, keys?: readonly string[]): Promise<void> {
    this.published.push([topic ?? '', keys]);
  }
}

/** Taken where no transaction is open. */
const outsideOfTransactions = AsyncLocalStorage.snapshot();

describe('state that instances share', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let transactions: Transactions;
  let invalidations: RecordingInvalidations;
  let state: SharedState<string>;

  const put = async (value: string): Promise<void> => {
    await transactions.manager.query(`UPDATE pair SET value = $1 WHERE name = 'k'`, [value]);
  };
  const load = async (): Promise<string | undefined> => {
    const rows = await transactions.manager.query<{ value: string }[]>(`SELECT value FROM pair WHERE name = 'k'`);
    return rows[0]?.value;
  };
  const read = (): Promise<string | undefined> => state.read('k', load);

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
    state = new SharedStates(transactions, invalidations).create<string>('pair');
  });

  it('is forgotten here, and told to others, with the commit', async () => {
    expect(await read()).toBe('old');
    await transactions.run(async () => {
      await put('new');
      await state.forget('k');
      expect(invalidations.published).toEqual([]);
    });
    expect(await read()).toBe('new');
    expect(invalidations.published).toEqual([['pair', ['k']]]);
  });

  it('is neither forgotten nor told of when the transaction rolls back', async () => {
    const failing = transactions.run(async () => {
      await put('new');
      await state.forget('k');
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect([await read(), invalidations.published]).toEqual(['old', []]);
  });

  it('keeps nothing that a transaction read before it rolled back', async () => {
    const failing = transactions.run(async () => {
      await put('never committed');
      expect(await read()).toBe('never committed');
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await read()).toBe('old');
  });

  it('lets a transaction read what a request outside is waiting to load for the connection that the transaction holds', async () => {
    let outside: Promise<string | undefined> | undefined;
    const inside = await transactions.run(async () => {
      await put('new');
      outside = new Promise((resolve, reject) => {
        // Begun by nobody inside: a request of its own has no part in this transaction.
        void outsideOfTransactions(() => read().then(resolve, reject));
      });
      await new Promise((resolve) => setTimeout(resolve, 20));
      await state.forget('k');
      return read();
    });
    expect(inside).toBe('new');
    expect(['old', 'new']).toContain(await outside);
    expect(await read()).toBe('new');
  });

  it('shows a transaction its own change, and everybody else the old state until the commit', async () => {
    expect(await read()).toBe('old');
    await transactions.run(async () => {
      expect(await read()).toBe('old');
      await put('new');
      await state.forget('k');
      expect(await read()).toBe('new');
      expect(await outsideOfTransactions(read)).toBe('old');
    });
    expect(await read()).toBe('new');
  });

  it('is loaded once for reads that a transaction begins together, and anew after what it changes', async () => {
    let loads = 0;
    const counted = (): Promise<string | undefined> => {
      loads += 1;
      return load();
    };
    const readTwice = (): Promise<unknown> => Promise.all([state.read('k', counted), state.read('k', counted)]);
    await transactions.run(async () => {
      expect(await readTwice()).toEqual(['old', 'old']);
      expect(loads).toBe(1);
      const before = state.read('k', counted);
      await put('new');
      await state.forget('k');
      expect(await readTwice()).toEqual(['new', 'new']);
      expect([await before, loads]).toEqual(['old', 3]);
    });
  });

  it.each([
    { what: 'one key', forget: () => state.forget('k') },
    { what: 'everything', forget: () => state.forgetAll() },
  ])('is not what a transaction began to load before it changed $what', async ({ forget }) => {
    let arrive = (_value: string): void => undefined;
    const slowly = (): Promise<string> =>
      new Promise((resolve) => {
        arrive = resolve;
      });
    await transactions.run(async () => {
      const before = state.read('k', slowly);
      await put('new');
      await forget();
      const after = read();
      arrive('old');
      expect([await before, await after, await read()]).toEqual(['old', 'new', 'new']);
    });
    expect(await read()).toBe('new');
  });

  it('is forgotten whole where a change touches no one can say how many', async () => {
    expect(await read()).toBe('old');
    await transactions.run(async () => {
      await put('new');
      await state.forgetAll();
      await state.forget('another');
      expect(await read()).toBe('new');
    });
    expect(await read()).toBe('new');
    expect(invalidations.published).toEqual([
      ['pair', undefined],
      ['pair', ['another']],
    ]);
  });

  it('is forgotten of as many as a list names', async () => {
    expect(await read()).toBe('old');
    const many = Array.from({ length: 200_000 }, (_, index) => `user ${index}`);
    await transactions.run(async () => {
      await put('new');
      await state.forget([...many, 'k']);
      expect(await read()).toBe('new');
    });
    expect(await read()).toBe('new');
    expect(invalidations.published).toEqual([['pair', [...many, 'k']]]);
  });

  it('is loaded anew where it is in doubt, of which nobody is told', async () => {
    expect(await read()).toBe('old');
    await testDatabase.query(`UPDATE pair SET value = 'new' WHERE name = 'k'`);
    expect(await read()).toBe('old');
    state.distrust('k');
    expect(await read()).toBe('new');
    expect(invalidations.published).toEqual([]);
  });

  it('is told apart by name: a second state of one name is refused', () => {
    const states = new SharedStates(transactions, new NoInvalidations());
    states.create('user');
    expect(() => states.create('user')).toThrow('two shared states named user');
  });
});
