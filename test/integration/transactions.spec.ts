import 'reflect-metadata';
import { DataSource, FindOptionsWhere } from 'typeorm';
import { Transactions } from '../../src/platform/database';
import { User } from '../../src/users';
import { itOnServer } from '../support/service/on-server';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';
import { openTestDataSource } from '../support/service/test-data-source';

describe('transaction', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let transactions: Transactions;
  let failures: unknown[];

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openTestDataSource(database);
    await database.query('CREATE TABLE note (text varchar(20) PRIMARY KEY, seen integer NOT NULL DEFAULT 0)');
  });

  beforeEach(async () => {
    failures = [];
    transactions = new Transactions(dataSource, (error) => failures.push(error));
    await database.query('TRUNCATE note');
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const write = (text: string): Promise<unknown> =>
    transactions.manager.query('INSERT INTO note (text) VALUES ($1)', [text]);

  const notes = async (): Promise<string[]> => {
    const rows = await database.query<{ text: string }>('SELECT text FROM note ORDER BY text');
    return rows.map(({ text }) => text);
  };

  const raise = (state: string): Promise<unknown> =>
    transactions.manager.query(`DO $$ BEGIN RAISE EXCEPTION 'staged' USING ERRCODE = '${state}'; END $$`);

  it('commits everything or nothing', async () => {
    await transactions.run(async () => {
      await write('one');
      await write('two');
    });
    const failing = transactions.run(async () => {
      await write('three');
      throw new Error('staged');
    });

    await expect(failing).rejects.toThrow('staged');
    expect(await notes()).toEqual(['one', 'two']);
  });

  it.each([undefined, null])('rejects a lookup by %s, which TypeORM would answer with the first row', async (id) => {
    const condition = { id } as FindOptionsWhere<User>;
    await database.query(`INSERT INTO user_account (id, username) VALUES (gen_random_uuid(), 'first_${String(id)}')`);
    await expect(transactions.manager.findOneBy(User, condition)).rejects.toThrow(/where/);
    await expect(transactions.manager.delete(User, condition)).rejects.toThrow();
    expect(await database.query('SELECT 1 FROM user_account')).not.toEqual([]);
  });

  it('returns the rows of any statement, and how many were affected', async () => {
    const inserted = await transactions.rows('INSERT INTO note (text) VALUES ($1), ($2) RETURNING text', ['a', 'b']);
    expect(inserted).toEqual([{ text: 'a' }, { text: 'b' }]);
    expect(await transactions.rows('SELECT text FROM note WHERE text > $1', ['z'])).toEqual([]);
    expect(await transactions.rows('UPDATE note SET seen = 1 WHERE text = $1 RETURNING seen', ['a'])).toEqual([
      { seen: 1 },
    ]);
    expect(await transactions.rows('UPDATE note SET seen = 1 WHERE text = $1', ['a'])).toEqual([]);
    expect(await transactions.affected('UPDATE note SET seen = 2 WHERE text <> $1', [''])).toBe(2);
    expect(await transactions.rows('DELETE FROM note WHERE text = $1 RETURNING text', ['b'])).toEqual([{ text: 'b' }]);
    expect(await transactions.affected('DELETE FROM note WHERE text = $1', ['b'])).toBe(0);
  });

  it('is open inside and nowhere else', async () => {
    expect(transactions.isOpen).toBe(false);
    await transactions.run(async () => {
      expect(transactions.isOpen).toBe(true);
    });
    expect(transactions.isOpen).toBe(false);
  });

  it('joins a nested one, so that the outer failure rolls back both', async () => {
    const failing = transactions.run(async () => {
      const outer = transactions.manager;
      await transactions.run(async () => {
        expect(transactions.manager).toBe(outer);
        await write('nested');
      });
      throw new Error('staged');
    });

    await expect(failing).rejects.toThrow('staged');
    expect(await notes()).toEqual([]);
  });

  itOnServer('does not see uncommitted changes of another one', async () => {
    let release = (): void => undefined;
    const waits = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = transactions.run(async () => {
      await write('slow');
      await waits;
    });
    expect(await transactions.run(() => transactions.manager.query('SELECT * FROM note'))).toEqual([]);
    release();
    await slow;
    expect(await notes()).toEqual(['slow']);
  });

  describe('afterCommit', () => {
    it('sees the committed rows and is outside the transaction', async () => {
      const seen: unknown[] = [];
      await transactions.run(async () => {
        await transactions.afterCommit(async () => {
          seen.push(transactions.isOpen, await notes());
        });
        await write('kept');
        expect(seen).toEqual([]);
      });
      expect(seen).toEqual([false, ['kept']]);
    });

    it('runs after the outermost commit in the order of registration', async () => {
      const order: string[] = [];
      await transactions.run(async () => {
        await transactions.run(() => transactions.afterCommit(() => void order.push('first')));
        await transactions.afterCommit(() => void order.push('second'));
        order.push('work');
      });
      expect(order).toEqual(['work', 'first', 'second']);
    });

    it('does not run after a rollback', async () => {
      const effect = jest.fn();
      const failing = transactions.run(async () => {
        await transactions.afterCommit(effect);
        throw new Error('staged');
      });
      await expect(failing).rejects.toThrow('staged');
      expect(effect).not.toHaveBeenCalled();
    });

    it('does not run when the commit fails', async () => {
      await database.query(
        `CREATE TABLE deferred (text varchar(20) REFERENCES note (text) DEFERRABLE INITIALLY DEFERRED)`,
      );
      const effect = jest.fn();
      const failing = transactions.run(async () => {
        await transactions.manager.query(`INSERT INTO deferred VALUES ('nobody')`);
        await transactions.afterCommit(effect);
      });
      await expect(failing).rejects.toThrow(/deferred/);
      expect(effect).not.toHaveBeenCalled();
      await database.query('DROP TABLE deferred');
    });

    it('may fail without affecting the transaction or the next hook', async () => {
      const failure = new Error('staged');
      const next = jest.fn();
      const result = await transactions.run(async () => {
        await transactions.afterCommit(() => Promise.reject(failure));
        await transactions.afterCommit(next);
        await write('kept');
        return 'done';
      });
      expect(result).toBe('done');
      expect(failures).toEqual([failure]);
      expect(next).toHaveBeenCalledTimes(1);
      expect(await notes()).toEqual(['kept']);
    });

    it('runs immediately outside a transaction, where a failure reaches the caller', async () => {
      const effect = jest.fn();
      await transactions.afterCommit(effect);
      expect(effect).toHaveBeenCalledTimes(1);
      await expect(transactions.afterCommit(() => Promise.reject(new Error('staged')))).rejects.toThrow('staged');
    });
  });

  describe('afterRollback', () => {
    it('runs outside the transaction, and its failure does not reach the caller', async () => {
      const seen: unknown[] = [];
      const failing = transactions.run(async () => {
        transactions.afterRollback(() => Promise.reject(new Error('of the effect')));
        await transactions.run(async () => {
          transactions.afterRollback(async () => {
            seen.push(transactions.isOpen, await notes());
            await transactions.run(() => write('kept'));
          });
        });
        await write('lost');
        throw new Error('staged');
      });
      await expect(failing).rejects.toThrow('staged');
      expect(seen).toEqual([false, []]);
      expect(failures).toEqual([new Error('of the effect')]);
      expect(await notes()).toEqual(['kept']);
    });

    it('runs neither after a commit nor after a repeated attempt', async () => {
      const effect = jest.fn();
      let attempts = 0;
      await transactions.run(async () => {
        transactions.afterRollback(effect);
        if (++attempts === 1) await raise('40P01');
      });
      expect(attempts).toBe(2);
      expect(effect).not.toHaveBeenCalled();
    });

    it('does nothing outside a transaction', () => {
      expect(() => {
        transactions.afterRollback(jest.fn());
      }).toThrow('roll back');
    });
  });

  describe.each([
    ['a deadlock', '40P01'],
    ['a serialization failure', '40001'],
  ])('after %s', (_, state) => {
    it('is repeated as a whole, and commit hooks run once', async () => {
      const after = jest.fn();
      let attempts = 0;
      await transactions.run(async () => {
        attempts++;
        await transactions.afterCommit(after);
        await write(`attempt ${attempts}`);
        if (attempts === 1) await raise(state);
      });
      expect(attempts).toBe(2);
      expect(after).toHaveBeenCalledTimes(1);
      expect(await notes()).toEqual(['attempt 2']);
    });

    it('fails after several attempts', async () => {
      let attempts = 0;
      const failing = transactions.run(async () => {
        attempts++;
        await raise(state);
      });
      await expect(failing).rejects.toMatchObject({ driverError: { code: state } });
      expect(attempts).toBe(3);
    });

    it('is not repeated alone when it is nested', async () => {
      let outer = 0;
      let nested = 0;
      await transactions.run(async () => {
        outer++;
        await transactions.run(async () => {
          nested++;
          if (nested === 1) await raise(state);
        });
      });
      expect([outer, nested]).toEqual([2, 2]);
    });
  });

  it('is not repeated after another error', async () => {
    let attempts = 0;
    const failing = transactions.run(async () => {
      attempts++;
      await raise('23514');
    });
    await expect(failing).rejects.toThrow('staged');
    expect(attempts).toBe(1);
  });

  itOnServer('survives a real deadlock with another one', async () => {
    await database.query(`INSERT INTO note (text) VALUES ('a'), ('b')`);
    let both = 0;
    let meet = (): void => undefined;
    const met = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const mark = (text: string): Promise<unknown> =>
      transactions.manager.query('UPDATE note SET seen = seen + 1 WHERE text = $1', [text]);
    const cross = (first: string, second: string): Promise<void> =>
      transactions.run(async () => {
        await mark(first);
        both++;
        if (both === 2) meet();
        await met;
        await mark(second);
      });

    await Promise.all([cross('a', 'b'), cross('b', 'a')]);
    expect(both).toBeGreaterThan(2);
    expect(await database.query('SELECT seen FROM note')).toEqual([{ seen: 2 }, { seen: 2 }]);
  });
});
