import { KeyValueCache } from '../../src/platform/cache';
import { SessionRepository } from '../../src/session/store/session.repository';
import { eventually } from '../support/service/eventually';
import { describeWithRedis, RedisServer } from '../support/servers/redis-server';
import { staleFor } from '../support/service/staleness';
import { TcpProxy } from '../support/service/tcp-proxy';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';

jest.setTimeout(180_000);

/** One second, plus pauses of a busy machine. */
const BOUND_MS = 1_100;

interface Entry {
  readonly counter: number;
  readonly revoked: boolean;
}

describeWithRedis('session cache of two instances', () => {
  let redis: RedisServer;
  let network: TcpProxy;
  let one: TestService;
  let two: TestService;
  let users = 0;

  const degraded = (isDegraded: boolean, ...instances: TestService[]): Promise<unknown> =>
    eventually(
      async () => instances.map(({ app }) => app.get(KeyValueCache).isDegraded),
      (states) => states.every((state) => state === isDegraded),
      15,
    );
  const meOn = async (instance: TestService, { cookie }: TestClient): Promise<number> =>
    (await new TestClient(instance.app).get('/api/auth/me', { cookie })).status;
  const keyOf = async (client: TestClient): Promise<string> => {
    const { items } = (await client.get<{ items: { id: string; current: boolean }[] }>('/api/auth/sessions')).body;
    return `session:${items.find(({ current }) => current)?.id}`;
  };
  const entryOf = (key: string, by = one): Promise<Entry | undefined> => by.app.get(KeyValueCache).get<Entry>(key);
  const putBack = (key: string, entry: unknown): Promise<void> => one.app.get(KeyValueCache).set(key, entry, 600);

  beforeAll(async () => {
    redis = await RedisServer.started();
    network = await TcpProxy.to(redis.url);
    one = await TestService.start({ environment: { REDIS_URL: redis.url } });
    two = await one.another({ environment: { REDIS_URL: network.url } });
  });

  beforeEach(() => degraded(false, one, two));

  afterEach(async () => {
    network.thaw();
    redis.thaw();
    await redis.start();
  });

  afterAll(async () => {
    await one.stop();
    await network.shut();
    await redis.remove();
  });

  it('contains sessions from the login on, follows each refresh, and contains no token', async () => {
    const ann = await one.signUp(`cached_${users++}`);
    const key = await keyOf(ann);
    expect(await entryOf(key)).toMatchObject({ counter: 1, revoked: false });
    expect((await ann.post('/api/auth/refresh')).status).toBe(200);
    expect(await entryOf(key)).toMatchObject({ counter: 2, revoked: false });
    expect(JSON.stringify(await entryOf(key))).not.toMatch(/eyJ|token|secret/i);
  });

  it('is read by the other instance instead of the database', async () => {
    const bob = await one.signUp(`cached_${users++}`);
    // An instance uses no cache entry from before its first read of a cached session.
    expect(await meOn(two, bob)).toBe(200);
    const key = await keyOf(bob);
    expect((await bob.post('/api/auth/refresh')).status).toBe(200);
    expect(await entryOf(key)).toMatchObject({ counter: 2 });
    const cam = await one.signUp(`cached_${users++}`);
    const find = jest.spyOn(two.app.get(SessionRepository, { strict: false }), 'find');
    expect(await meOn(two, cam)).toBe(200);
    expect(find).not.toHaveBeenCalled();
    find.mockRestore();
  });

  it('does not restore a session after a logout when a stale entry is written back', async () => {
    const dan = await one.signUp(`cached_${users++}`);
    const key = await keyOf(dan);
    expect(await meOn(two, dan)).toBe(200);
    const stale = await entryOf(key);
    expect(stale).toMatchObject({ revoked: false });
    expect((await new TestClient(one.app).post('/api/auth/logout', undefined, { cookie: dan.cookie })).status).toBe(
      204,
    );
    expect(await entryOf(key)).toMatchObject({ revoked: true });
    await putBack(key, stale);
    expect(await meOn(one, dan)).toBe(401);
    expect(await staleFor(async () => (await meOn(two, dan)) === 401)).toBeLessThan(BOUND_MS);
    const later = await one.another({ environment: { REDIS_URL: redis.url } });
    await degraded(false, later);
    await putBack(key, stale);
    for (const instance of [one, two, later]) expect(await meOn(instance, dan)).toBe(401);
  });

  describe.each([
    ['a session that the other instance has seen', (client: TestClient) => meOn(two, client)],
    ['a session that the other instance has never seen', async () => 200],
  ])('for %s', (_, meet) => {
    it('accepts no outdated access token when an entry from before two refreshes is written back', async () => {
      const hal = await one.signUp(`cached_${users++}`);
      const key = await keyOf(hal);
      const first = { cookie: hal.cookie } as TestClient;
      expect(await meet(hal)).toBe(200);
      const stale = await entryOf(key);
      for (let count = 0; count < 2; count++) expect((await hal.post('/api/auth/refresh')).status).toBe(200);
      expect(await entryOf(key)).toMatchObject({ counter: 3 });
      await putBack(key, stale);
      expect(await staleFor(async () => (await meOn(two, first)) === 401)).toBeLessThan(BOUND_MS);
      // The instance has stored the current state.
      await putBack(key, stale);
      for (const instance of [one, two]) {
        expect([await meOn(instance, first), await meOn(instance, hal)]).toEqual([401, 200]);
      }
    });
  });

  it('uses no entry from before a time in which messages were lost', async () => {
    const ida = await one.signUp(`cached_${users++}`);
    const key = await keyOf(ida);
    const first = { cookie: ida.cookie } as TestClient;
    const stale = await entryOf(key);
    network.freeze();
    await degraded(true, two);
    for (let count = 0; count < 2; count++) expect((await ida.post('/api/auth/refresh')).status).toBe(200);
    network.thaw();
    await degraded(false, two);
    await putBack(key, stale);
    expect(await meOn(two, first)).toBe(401);
  });

  it.each(['silent', 'cut off'])(
    'ends a session on the other instance even when the write fails, with Redis %s for one instance',
    async (how) => {
      const eve = await two.signUp(`cached_${users++}`);
      const key = await keyOf(eve);
      expect(await meOn(one, eve)).toBe(200);
      const live = await entryOf(key);
      if (how === 'silent') network.freeze();
      else await network.shut();
      expect((await new TestClient(two.app).post('/api/auth/logout', undefined, { cookie: eve.cookie })).status).toBe(
        204,
      );
      expect(await meOn(two, eve)).toBe(401);
      expect(await entryOf(key)).toEqual(live);
      expect(await staleFor(async () => (await meOn(one, eve)) === 401)).toBeLessThan(BOUND_MS);
      network.thaw();
      if (how !== 'silent') await network.open();
      await degraded(false, two);
      await putBack(key, live);
      for (const instance of [one, two]) expect(await meOn(instance, eve)).toBe(401);
    },
  );

  it.each([
    { loss: 'lost', lose: () => redis.kill(), comeBack: () => redis.start() },
    {
      loss: 'silent',
      lose: async () => {
        redis.freeze();
      },
      comeBack: async () => {
        redis.thaw();
      },
    },
  ])(
    'keeps sessions valid and ends them in time while Redis is $loss and after its return',
    async ({ lose, comeBack }) => {
      const [fay, gil] = [await one.signUp(`cached_${users++}`), await one.signUp(`cached_${users++}`)];
      const key = await keyOf(fay);
      const stale = await entryOf(key);
      for (const client of [fay, gil]) expect(await meOn(two, client)).toBe(200);
      await lose();
      for (const instance of [one, two]) expect(await meOn(instance, gil)).toBe(200);
      expect((await new TestClient(one.app).post('/api/auth/logout', undefined, { cookie: fay.cookie })).status).toBe(
        204,
      );
      expect(await meOn(one, fay)).toBe(401);
      expect(await staleFor(async () => (await meOn(two, fay)) === 401)).toBeLessThan(BOUND_MS);
      expect((await gil.post('/api/auth/refresh')).status).toBe(200);
      await comeBack();
      await degraded(false, one, two);
      await putBack(key, stale);
      for (const instance of [one, two]) {
        expect([await meOn(instance, fay), await meOn(instance, gil)]).toEqual([401, 200]);
      }
    },
  );
});
