import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { readById, BatchedLookup, Transactions } from '../../src/platform/database';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';
import { openTestDataSource } from '../support/service/test-data-source';

interface Note {
  readonly text: string;
}

const OWNED = readById((id) => `SELECT text FROM note WHERE owner = ${id} ORDER BY text`);
const [ANN, BOB, NOBODY] = ['a', 'b', 'c'].map((digit) => digit.repeat(8) + '-0000-7000-8000-000000000000') as [
  string,
  string,
  string,
];

describe('batched reads by id', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let transactions: Transactions;
  let notes: BatchedLookup<Note>;
  let asked: jest.SpyInstance;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openTestDataSource(database);
    await database.query('CREATE TABLE note (owner uuid, text text)');
    await database.query('INSERT INTO note VALUES ($1, $3), ($1, $4), ($2, $5)', [ANN, BOB, 'one', 'two', 'three']);
  });

  beforeEach(() => {
    transactions = new Transactions(dataSource, () => undefined);
    notes = new BatchedLookup(transactions, OWNED);
    asked = jest.spyOn(transactions, 'rows');
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const ofAnn = [{ text: 'one' }, { text: 'two' }];

  it('of one turn use one statement and return the rows of each id', async () => {
    const [bob, nobody, ann, again] = await Promise.all([BOB, NOBODY, ANN, ANN].map((id) => notes.rows(id)));
    expect([bob, nobody, ann, again]).toEqual([[{ text: 'three' }], [], ofAnn, ofAnn]);
    expect(again![0]).not.toBe(ann![0]);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('of different turns return the same', async () => {
    expect(await notes.rows(ANN)).toEqual(ofAnn);
    expect(await notes.rows(NOBODY)).toEqual([]);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('do not fail because of an invalid id', async () => {
    const [ann, wrong] = await Promise.allSettled([ANN, 'x'].map((id) => notes.rows(id)));
    expect(ann).toEqual({ status: 'fulfilled', value: ofAnn });
    expect(wrong).toMatchObject({ status: 'rejected', reason: { code: '22P02' } });
  });

  it('see what their transaction wrote', async () => {
    const late = { text: 'zero' };
    const seen = await transactions.run(async () => {
      await transactions.rows('INSERT INTO note VALUES ($1, $2)', [BOB, late.text]);
      const within = await Promise.all([BOB, ANN].map((id) => notes.rows(id)));
      await transactions.rows('DELETE FROM note WHERE text = $1', [late.text]);
      return within;
    });
    expect(seen).toEqual([[{ text: 'three' }, late], ofAnn]);
  });
});
