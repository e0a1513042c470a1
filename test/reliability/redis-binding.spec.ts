import { performance } from 'node:perf_hooks';
import { appName } from '../../src/settings';
import { KeyValueCache } from '../../src/platform/cache';
import { Transactions } from '../../src/platform/database';
import { registerPerHourPerAddress } from '../../src/auth';
import { UserCache } from '../../src/users';
import { eventually } from '../support/service/eventually';
import { describeWithRedis, RedisServer } from '../support/servers/redis-server';
import { staleFor } from '../support/service/staleness';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';

/** `TEST_CHANGES=200` shows more. */
const CHANGES = Number(process.env['TEST_CHANGES'] ?? 80);
/** Number of changes watched at a time, each from every other instance. */
const AT_A_TIME = 40;
const BOUND_MS = 1_000;
/** Allows for pauses of a busy machine between reading the clock and sending the request. */
const TOLERANCE_MS = 100;

/** A change, and how an instance shows that it has applied it. */
interface Change {
  readonly kind: string;
  make(): Promise<void>;
  isKnownTo(instance: TestService): Promise<boolean>;
}

const meOf = (instance: TestService, cookie: string): Promise<{ status: number }> =>
  new TestClient(instance.app).get('/api/auth/me', { cookie });

describeWithRedis('a change on one of several instances', () => {
  describe.each([2, 3])('with %d instances', (count) => {
    let redis: RedisServer;
    let instances: TestService[];
    let users = 0;

    const first = (): TestService => instances[0]!;
    const degraded = (expected: boolean): Promise<boolean[]> =>
      eventually(
        async () => instances.map((instance) => instance.app.get(KeyValueCache).isDegraded),
        (states) => states.every((state) => state === expected),
        15,
      );

    beforeAll(async () => {
      redis = await RedisServer.started();
      const service = await TestService.start({ environment: { REDIS_URL: redis.url } });
      instances = [service];
      while (instances.length < count) instances.push(await service.another());
      await service.set(registerPerHourPerAddress, 100_000);
    });

    afterAll(async () => {
      await first().stop();
      await redis.remove();
    });

    async function newUser(): Promise<{ username: string; client: TestClient; id: string }> {
      const username = `user_${users++}`;
      const client = await first().signUp(username);
      const me = await client.get<{ id: string }>('/api/auth/me');
      return { username, client, id: me.body.id };
    }

    async function revocation(): Promise<Change> {
      const { client } = await newUser();
      const cookie = client.cookie;
      return {
        kind: 'session revoked',
        make: async () => {
          expect((await client.post('/api/auth/logout')).status).toBe(204);
        },
        isKnownTo: async (instance) => (await meOf(instance, cookie)).status === 401,
      };
    }

    async function disabling(): Promise<Change> {
      const { client, id } = await newUser();
      const cookie = client.cookie;
      const transactions = first().app.get(Transactions);
      return {
        kind: 'user disabled',
        make: () =>
          transactions.run(async () => {
            await transactions.manager.query(`UPDATE user_account SET status = 'disabled' WHERE id = $1`, [id]);
            await first().app.get(UserCache).invalidate(id);
          }),
        isKnownTo: async (instance) => (await meOf(instance, cookie)).status === 401,
      };
    }

    async function settingChange(number: number): Promise<Change> {
      const name = `Name ${number} of ${performance.now()}`;
      return {
        kind: 'setting changed',
        make: () => first().set(appName, name),
        isKnownTo: async (instance) =>
          (await new TestClient(instance.app).get<{ name: string }>('/api/info')).body.name === name,
      };
    }

    /**
     * Request time of the last stale response on the other instances. Each had the old state in its cache at the
     * change.
     */
    async function delayOf(change: Change): Promise<number> {
      const others = instances.slice(1);
      for (const other of others) expect(await change.isKnownTo(other)).toBe(false);
      await change.make();
      const delays = others.map((other) => staleFor(() => change.isKnownTo(other)));
      return Math.max(...(await Promise.all(delays)));
    }

    async function worstOf(state: string): Promise<number> {
      const worst = new Map<string, number>();
      const note = (kind: string, delay: number): void => {
        worst.set(kind, Math.max(delay, worst.get(kind) ?? 0));
      };
      for (let done = 0; done < CHANGES; done += AT_A_TIME) {
        // A setting has one value, so its changes are watched one after the other, beside the rest.
        const makers = Array.from({ length: AT_A_TIME - 1 }, (_, index) => (index % 2 === 0 ? revocation : disabling));
        const changes = [];
        for (const make of makers) changes.push(await make());
        changes.push(await settingChange(done));
        await Promise.all(
          changes.map(async (change) => {
            note(change.kind, await delayOf(change));
          }),
        );
      }
      const figures = [...worst].map(([kind, delay]) => `${kind} ${delay.toFixed(0)} ms`).join(', ');
      process.stdout.write(`      ${count} instances, ${state}, last stale answer of ${CHANGES} changes: ${figures}\n`);
      return Math.max(...worst.values());
    }

    it('is effective on the others within a second, with Redis, without it, and after its return', async () => {
      await degraded(false);
      expect(await worstOf('with Redis')).toBeLessThan(BOUND_MS + TOLERANCE_MS);
      await redis.kill();
      await degraded(true);
      expect(await worstOf('Redis stopped')).toBeLessThan(BOUND_MS + TOLERANCE_MS);
      await redis.start();
      await degraded(false);
      // Subscriptions reconnect by themselves up to two seconds later.
      await eventually(
        async () => delayOf(await settingChange(CHANGES)),
        (delay) => delay < BOUND_MS / 2,
        15,
      );
      expect(await worstOf('Redis back')).toBeLessThan(BOUND_MS + TOLERANCE_MS);
    }, 180_000);
  });
});
