import 'reflect-metadata';
import { AsyncResource } from 'node:async_hooks';
import { DataSource } from 'typeorm';
import { Transactions } from '../../src/platform/database';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';
import { openTestDataSource } from '../support/service/test-data-source';

const INSERT = 'INSERT INTO note (text) VALUES ($1)';

describe('an unawaited statement', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let transactions: Transactions;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openTestDataSource(database);
    await database.query('CREATE TABLE note (text varchar(20) PRIMARY KEY)');
    transactions = new Transactions(dataSource, () => undefined);
  });

  beforeEach(() => database.query('TRUNCATE note'));

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const write = (text: string): Promise<unknown> => transactions.rows(INSERT, [text]);

  const notes = async (): Promise<string[]> => {
    const rows = await database.query<{ text: string }>('SELECT text FROM note ORDER BY text');
    return rows.map(({ text }) => text);
  };

  it('is committed with the others', async () => {
    await transactions.run(() => transactions.write(INSERT, ['kept']));
    expect(await notes()).toEqual(['kept']);
  });

  it('is executed immediately outside a transaction', async () => {
    await transactions.write(INSERT, ['kept']);
    expect(await notes()).toEqual(['kept']);
  });

  it('fails the commit, which reports its error', async () => {
    const after = jest.fn();
    const failing = transactions.run(async () => {
      await write('lost');
      await transactions.afterCommit(after);
      await transactions.write(INSERT, ['lost']);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(after).not.toHaveBeenCalled();
    expect(await notes()).toEqual([]);
  });

  it('is reported before errors that follow from it', async () => {
    const failing = transactions.run(async () => {
      await transactions.write(INSERT, [null]);
      await transactions.rows('SELECT text FROM note', []);
    });
    await expect(failing).rejects.toMatchObject({ code: '23502' });
    expect(await transactions.run(() => transactions.rows('SELECT 1 AS one', []))).toEqual([{ one: 1 }]);
  });

  it('repeats the transaction after a serialization failure', async () => {
    let attempts = 0;
    await transactions.run(async () => {
      attempts++;
      await write(`attempt ${attempts}`);
      if (attempts > 1) return;
      await transactions.write(`DO $$ BEGIN RAISE EXCEPTION 'staged' USING ERRCODE = '40001'; END $$`, []);
    });
    expect(attempts).toBe(2);
    expect(await notes()).toEqual(['attempt 2']);
  });

  it('does not report a commit when a swallowed error has rolled it back', async () => {
    const failing = transactions.run(async () => {
      await write('lost');
      await write('lost').catch(() => undefined);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await notes()).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is awaited', () => transactions.rows('SELECT 1', [])],
    ['is not awaited', () => transactions.write(INSERT, ['late'])],
  ])('is rejected after the end of its transaction when it %s', async (_, ask) => {
    let late = (): Promise<unknown> => Promise.resolve();
    await transactions.run(async () => {
      late = AsyncResource.bind(ask);
    });
    await expect(late()).rejects.toThrow('over');
    expect(await notes()).toEqual([]);
  });

  it('cannot run after a rollback has started', async () => {
    let late: Promise<unknown> = Promise.resolve();
    const failing = transactions.run(async () => {
      await write('lost');
      late = new Promise((resolve) => setImmediate(resolve)).then(() => write('late'));
      late.catch(() => undefined);
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    await expect(late).rejects.toThrow('over');
    expect(await notes()).toEqual([]);
  });
});
