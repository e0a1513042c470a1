import { Database, Transactions } from '../../src/platform/database';
import { itOnServer } from '../support/service/on-server';
import { TestClient } from '../support/service/test-client';
import { eventually, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

describe('a database with all connections in use', () => {
  let service: TestService;
  let giveBack: () => void;
  let lent: Promise<unknown>;

  withService((started) => {
    service = started;
  });

  afterEach(async () => {
    giveBack();
    await lent;
  });

  /** Takes every connection of the pool. */
  const lendAll = async (): Promise<void> => {
    const transactions = service.app.get(Transactions);
    const isOver = new Promise<void>((resolve) => (giveBack = resolve));
    const hold = (): Promise<void> =>
      transactions.run(async () => {
        await transactions.manager.query('SELECT 1');
        await isOver;
      });
    lent = Promise.all(Array.from({ length: 20 }, hold));
    await eventually(
      async () => service.app.get(Database).pool(),
      ({ open, waiting }) => open === 20 && waiting === 0,
    );
  };

  const fromHere = (): TestClient => {
    const client = service.client();
    client.address = '127.0.0.1';
    return client;
  };

  const rejected = async (): Promise<number> => {
    const metrics = await fromHere().get('/metrics', { remoteAddress: '127.0.0.1' });
    return Number(/^castellan_database_busy_total (\d+)$/m.exec(metrics.text)?.[1]);
  };

  itOnServer(
    'rejects requests that need a connection, protocol routes included, counts them and stays ready',
    async () => {
      await lendAll();
      const client = fromHere();
      const before = await rejected();
      const token = service.app.inject({
        method: 'POST',
        url: '/api/oauth/token',
        payload: 'client_id=a&grant_type=refresh_token&refresh_token=a',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      const ready = await client.get<{ status: string; checks: object }>('/health/ready');
      expect([ready.status, ready.body]).toMatchObject([200, { status: 'ok', checks: { database: 'ok' } }]);
      expect((await token).statusCode).toBe(503);
      expect(await rejected()).toBe(before + 1);

      const login = await client.post('/api/auth/login', {
        type: 'password',
        username: 'nobody',
        password: 'whatever it is',
      });
      expect(login.status).toBe(503);
      expect(await rejected()).toBe(before + 2);
      expect(service.logLines.filter((line) => line.includes('connections to the database are busy'))).toHaveLength(1);
    },
  );
});
