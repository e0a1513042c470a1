import 'reflect-metadata';
import { schema } from '../../src/identity/identity.module';
import { Database, DatabaseHealthMonitor, isDatabaseBusy, Transactions } from '../../src/platform/database';
import { eventually } from '../support/service/eventually';
import { hasServer } from '../support/service/on-server';
import { TcpProxy } from '../support/service/tcp-proxy';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

const ignore = (): void => undefined;

(hasServer ? describe : describe.skip)('a connection pool in full use (needs TEST_DATABASE_URL)', () => {
  let server: TestDatabase;
  let network: TcpProxy;
  let database: Database;
  let transactions: Transactions;
  let healthMonitor: DatabaseHealthMonitor;
  let reported: string[];

  beforeEach(async () => {
    server = await createTestDatabase();
    network = await TcpProxy.to(server.url!);
    database = await Database.open(schema, { url: network.url, poolSize: 1, onPoolError: ignore, onWaiting: ignore });
    transactions = new Transactions(database.dataSource, ignore);
    reported = [];
    const report = (news: string) => (): void => void reported.push(news);
    healthMonitor = new DatabaseHealthMonitor({
      onLoss: report('loss'),
      onBusy: report('busy'),
      onAway: report('away'),
      onBack: report('back'),
    });
    healthMonitor.begin(() => database.probe());
  });

  afterEach(async () => {
    healthMonitor.onApplicationShutdown();
    await network.shut();
    await database.close();
    await server.drop();
  });

  /** Runs `act` while the only connection is in use. */
  async function whileLent<T>(act: () => Promise<T>): Promise<T> {
    let giveBack = ignore;
    const isOver = new Promise<void>((resolve) => (giveBack = resolve));
    let lent: Promise<void> = Promise.resolve();
    await new Promise<void>((isLent) => {
      lent = transactions.run(async () => {
        await transactions.manager.query('SELECT 1');
        isLent();
        await isOver;
      });
    });
    const result = await act();
    giveBack();
    await lent.catch(ignore);
    return result;
  }

  /** The error of a query that needs a connection at that time. */
  const errorWhileLent = (meanwhile = ignore): Promise<unknown> =>
    whileLent(async () => {
      meanwhile();
      const failure: unknown = await database.dataSource.query('SELECT 1').catch((error: unknown) => error);
      expect(healthMonitor.takes(failure)).toBe(true);
      await eventually(
        async () => reported,
        (news) => news.length > 0,
      );
      return failure;
    });

  it('is reported as busy while the database responds, and only once', async () => {
    const failure = await errorWhileLent();
    expect(isDatabaseBusy(failure)).toBe(true);
    healthMonitor.takes(failure);
    expect(
      await eventually(
        async () => reported,
        (news) => news.length > 0,
      ),
    ).toEqual(['busy']);
  });

  it('is reported as a database outage when the network is the reason', async () => {
    await errorWhileLent(() => {
      network.freeze();
    });
    expect(reported).toEqual(['away']);
  });

  it('does not count as an outage, because a probe gets a response immediately', async () => {
    await whileLent(async () => {
      const began = performance.now();
      await database.answers();
      expect(performance.now() - began).toBeLessThan(1_500);
      network.freeze();
      const isFound = (): Promise<boolean> =>
        database.answers().then(
          () => false,
          () => true,
        );
      expect(await eventually(isFound, Boolean)).toBe(true);
    });
  });

  it('opens one probe connection, however many callers probe concurrently and right after', async () => {
    await whileLent(async () => {
      const before = network.opened;
      await Promise.all(Array.from({ length: 50 }, () => database.answers()));
      await database.answers();
      expect(network.opened - before).toBe(1);
    });
  });

  it('opens no probe connection for concurrent probes while a connection is free', async () => {
    await database.dataSource.query('SELECT 1');
    const before = network.opened;
    await Promise.all(Array.from({ length: 50 }, () => database.answers()));
    expect(network.opened - before).toBe(0);
  });

  it('reports a silent database when the pool fills up between check and probe', async () => {
    const failure: unknown = await whileLent(() =>
      database.dataSource.query('SELECT 1').catch((error: unknown) => error),
    );
    expect(isDatabaseBusy(failure)).toBe(true);
    jest.spyOn(database.dataSource, 'query').mockRejectedValueOnce(failure);
    network.freeze();
    await expect(database.answers()).rejects.toThrow();
  });
});
