import 'reflect-metadata';
import { Database, isDatabaseUnavailable, Transactions } from '../../src/platform/database';
import { schema } from '../../src/identity/identity.module';
import { eventually } from '../support/service/eventually';
import { hasServer } from '../support/service/on-server';
import { TcpProxy } from '../support/service/tcp-proxy';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

jest.setTimeout(60_000);

const ignore = (): void => undefined;

(hasServer ? describe : describe.skip)('database server (needs TEST_DATABASE_URL)', () => {
  let server: TestDatabase;
  let network: TcpProxy;
  let database: Database;
  let transactions: Transactions;

  beforeAll(async () => {
    server = await createTestDatabase();
    await server.query('CREATE TABLE note (text varchar(20) PRIMARY KEY)');
  });

  afterAll(() => server.drop());

  describe.each([
    ['behind a pooler', true],
    ['connected directly', false],
  ])('%s', (_, isPooled) => {
    beforeEach(async () => {
      await server.query('TRUNCATE note');
      network = await TcpProxy.to(server.url!);
      const place = { url: network.url, ...(isPooled && { directUrl: server.url! }) };
      database = await Database.open(schema, { ...place, poolSize: 1, onPoolError: ignore, onWaiting: ignore });
      transactions = new Transactions(database.dataSource, ignore, database.transactionOpening);
    });

    afterEach(async () => {
      await network.shut();
      await database.close();
    });

    const write = (text: string): Promise<unknown> =>
      transactions.manager.query('INSERT INTO note (text) VALUES ($1)', [text]);

    it('ends slow statements, lock waits and idle transactions itself', async () => {
      const [limits] = await transactions.run(() =>
        transactions.manager.query<Record<string, string>[]>(
          `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
             current_setting('idle_in_transaction_session_timeout') AS idle`,
        ),
      );
      expect(limits).toEqual({ statement: '5s', lock: '2s', idle: '10s' });
    });

    it('rolls back a transaction when it stops responding', async () => {
      let began = 0;
      const silent = transactions.run(async () => {
        await write('lost');
        network.freeze();
        began = performance.now();
        await write('unheard');
      });
      const error: unknown = await silent.catch((reason: unknown) => reason);
      expect(isDatabaseUnavailable(error)).toBe(true);
      expect(performance.now() - began).toBeLessThan(8_000);
      network.thaw();
      await transactions.run(() => write('kept'));
      expect(await server.query('SELECT text FROM note')).toEqual([{ text: 'kept' }]);
    });

    it('is unavailable when it closes the connection between two statements', async () => {
      const ended = transactions.run(async () => {
        await write('lost');
        await server.query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
        );
        await eventually(
          async () => database.pool().open,
          (open) => open === 0,
        );
        await write('late');
      });
      expect(isDatabaseUnavailable(await ended.catch((reason: unknown) => reason))).toBe(true);
      expect(await server.query('SELECT text FROM note')).toEqual([]);
    });
  });

  it('is reported as silent by a probe within three seconds', async () => {
    network = await TcpProxy.to(server.url!);
    database = await Database.open(schema, { url: network.url, onPoolError: ignore, onWaiting: ignore });
    network.freeze();
    const began = performance.now();
    await expect(database.ping()).rejects.toThrow('silent');
    expect(performance.now() - began).toBeLessThan(3_000);
    await network.shut();
    await database.close();
  });
});
