import 'reflect-metadata';
import { schema } from '../../src/identity.module';
import { Database, DatabaseWatch, isPoolBusy, Transactions } from '../../src/platform/database';
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
  let watch: DatabaseWatch;
  let told: string[];

  beforeEach(async () => {
    server = await createTestDatabase();
    network = await TcpProxy.to(server.url!);
    database = await Database.open(schema, { url: network.url, poolSize: 1, onPoolError: ignore, onWaiting: ignore });
    transactions = new Transactions(database.dataSource, ignore);
    told = [];
    const tell = (news: string) => (): void => void told.push(news);
    watch = new DatabaseWatch({
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

  /** What somebody is told who asks while the only connection is lent. */
  async function refusalWhileLent(meanwhile = ignore): Promise<unknown> {
    let giveBack = ignore;
    const lent = transactions.run(async () => {
      await transactions.manager.query('SELECT 1');
      meanwhile();
      await new Promise<void>((resolve) => (giveBack = resolve));
    });
    await eventually(
      async () => database.pool().open,
      (open) => open === 1,
    );
    const refusal: unknown = await database.dataSource.query('SELECT 1').catch((error: unknown) => error);
    expect(watch.takes(refusal)).toBe(true);
    await eventually(
      async () => told,
      (news) => news.length > 0,
    );
    giveBack();
    await lent.catch(ignore);
    return refusal;
  }

  it('is told as that while the database answers, and not again at once', async () => {
    const refusal = await refusalWhileLent();
    expect(isPoolBusy(refusal)).toBe(true);
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
});
