import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { Transactions } from '../../src/platform/database';
import { itOnServer } from '../support/service/on-server';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';
import { openTestDataSource } from '../support/service/test-data-source';

describe('two instances in one process', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openTestDataSource(database);
    await database.query('CREATE TABLE note (text varchar(20) PRIMARY KEY)');
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  // The embedded database has one session, so that the inner transaction would wait for the outer one.
  itOnServer('have transactions of their own, one within the other', async () => {
    const [outer, inner] = [1, 2].map(() => new Transactions(dataSource, () => undefined)) as [
      Transactions,
      Transactions,
    ];
    const failing = outer.run(async () => {
      expect(inner.isOpen).toBe(false);
      await inner.run(async () => {
        await outer.rows(`INSERT INTO note (text) VALUES ('outer')`, []);
        await inner.rows(`INSERT INTO note (text) VALUES ('inner')`, []);
      });
      throw new Error('staged');
    });
    await expect(failing).rejects.toThrow('staged');
    expect(await database.query('SELECT text FROM note')).toEqual([{ text: 'inner' }]);
  });
});
