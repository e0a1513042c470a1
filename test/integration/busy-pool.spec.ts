import 'reflect-metadata';
import { schema } from '../../src/identity.module';
import { Database, DatabaseHealthMonitor, isDatabaseBusy, Transactions } from '../../src/platform/database';
import { eventually } from '../support/eventually';
import { hasServer } from '../support/on-server';
import { TcpProxy } from '../support/tcp-proxy';
import { createTestDatabase, TestDatabase } from '../support/test-database';

const ignore = (): void => undefined;

(hasServer ? describe : describe.skip)('a pool whose connections are all busy (needs TEST_DATABASE_URL)', () => {
  let server: TestDatabase;
  let network: TcpProxy;
  let database: Database;
  let transactions: Transactions;
  let watch: DatabaseHealthMonitor;
  let told: string[];

  beforeEach(async () => {
    server = await createTestDatabase();
    network = await TcpProxy.to(server.url!);
    database = await Database.open(schema, { url: network.url, poolSize: 1, onPoolError: ignore, onWaiting: ignore });
    transactions = new Transactions(database.dataSource, ignore);
    told = [];
    const tell = (news: string) => (): void => void told.push(news);
    watch = new DatabaseHealthMonitor({
      onLoss: tell('loss'),
      onBusy: tell('busy'),
      onAway: tell('away'),
      onBack: tell('back'),
    });
    watch.begin(() => database.probe());
  });

  afterEach(async () => {
    watch.onApplicationShutdown();
    await network.shut();
    await database.close();
    await server.drop();
  });

  /** While the only connection is lent. */
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

  /** What somebody is told who asks then. */
  const refusalWhileLent = (meanwhile = ignore): Promise<unknown> =>
    whileLent(async () => {
      meanwhile();
      const refusal: unknown = await database.dataSource.query('SELECT 1').catch((error: unknown) => error);
      expect(watch.takes(refusal)).toBe(true);
      await eventually(
        async () => told,
        (news) => news.length > 0,
      );
      return refusal;
    });

  it('is told as that while the database answers, and not again at once', async () => {
    const refusal = await refusalWhileLent();
    expect(isDatabaseBusy(refusal)).toBe(true);
    watch.takes(refusal);
    expect(
      await eventually(
        async () => told,
        (news) => news.length > 0,
      ),
    ).toEqual(['busy']);
  });

  it('is told as a database out of reach where that is why', async () => {
    await refusalWhileLent(() => {
      network.freeze();
    });
    expect(told).toEqual(['away']);
  });

  it('is no database that is away: it answers, and at once', async () => {
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

  it('costs the server one connection, however many ask at once and right after', async () => {
    await whileLent(async () => {
      const before = network.opened;
      await Promise.all(Array.from({ length: 50 }, () => database.answers()));
      await database.answers();
      expect(network.opened - before).toBe(1);
    });
  });

  it('is asked about by one question where many come while a connection is free', async () => {
    await database.dataSource.query('SELECT 1');
    const before = network.opened;
    await Promise.all(Array.from({ length: 50 }, () => database.answers()));
    expect(network.opened - before).toBe(0);
  });

  it('says nothing of a database that is silent where it is lent out between look and question', async () => {
    const refusal: unknown = await whileLent(() =>
      database.dataSource.query('SELECT 1').catch((error: unknown) => error),
    );
    expect(isDatabaseBusy(refusal)).toBe(true);
    jest.spyOn(database.dataSource, 'query').mockRejectedValueOnce(refusal);
    network.freeze();
    await expect(database.answers()).rejects.toThrow();
  });
});
