import 'reflect-metadata';
import { Database, preparedStatement, Transactions } from '../../src/platform/database';
import { schema } from '../../src/identity/identity.module';
import { hasServer } from '../support/service/on-server';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

const ignore = (): void => undefined;
const READ = preparedStatement('SELECT text FROM note WHERE text = $1');

(hasServer ? describe : describe.skip)('prepared statement (needs TEST_DATABASE_URL)', () => {
  let server: TestDatabase;
  let database: Database;
  let transactions: Transactions;

  const open = async (isPooled = false): Promise<void> => {
    const place = { url: server.url!, ...(isPooled && { directUrl: server.url! }) };
    database = await Database.open(schema, { ...place, poolSize: 1, onPoolError: ignore, onWaiting: ignore });
    transactions = new Transactions(database.dataSource, ignore, database.transactionOpening);
  };
  const read = (): Promise<unknown[]> => transactions.rows(READ, ['kept']);
  const kept = (): Promise<unknown[]> =>
    transactions.manager.query('SELECT name FROM pg_prepared_statements WHERE statement = $1', [READ]);

  beforeEach(async () => {
    server = await createTestDatabase();
    await server.query('CREATE TABLE note (text varchar(20))');
    await server.query(`INSERT INTO note VALUES ('kept')`);
  });

  afterEach(async () => {
    await database.close();
    await server.drop();
  });

  it('is parsed once per connection', async () => {
    await open();
    await read();
    await read();
    expect(await kept()).toHaveLength(1);
  });

  it('is not used behind a connection pooler', async () => {
    await open(true);
    expect(await read()).toEqual([{ text: 'kept' }]);
    expect(await kept()).toEqual([]);
  });

  describe('whose result type a migration has changed', () => {
    beforeEach(async () => {
      await open();
      await read();
      await server.query('ALTER TABLE note ALTER COLUMN text TYPE varchar(40)');
    });

    it('succeeds after a retry', async () => {
      expect(await read()).toEqual([{ text: 'kept' }]);
    });

    it('succeeds in a transaction, which is repeated', async () => {
      const add = (): Promise<unknown> => transactions.manager.query(`INSERT INTO note VALUES ('added')`);
      const work = (): Promise<unknown[]> => add().then(read);
      expect(await transactions.run(work)).toEqual([{ text: 'kept' }]);
      expect(await server.query(`SELECT text FROM note WHERE text = 'added'`)).toHaveLength(1);
    });
  });
});
