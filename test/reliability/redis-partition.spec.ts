import { performance } from 'node:perf_hooks';
import { KeyValueCache } from '../../src/platform/cache';
import { appName } from '../../src/settings';
import { eventually } from '../support/service/eventually';
import { describeWithRedis, RedisServer } from '../support/servers/redis-server';
import { staleFor } from '../support/service/staleness';
import { TcpProxy } from '../support/service/tcp-proxy';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';

jest.setTimeout(180_000);

/** One second, plus pauses of a busy machine. */
const BOUND_MS = 1_100;
/** Late messages would arrive within seconds after the network heals. `TEST_WATCH_SECONDS=120` shows more. */
const WATCH_SECONDS = Number(process.env['TEST_WATCH_SECONDS'] ?? 3);

describeWithRedis('an instance that alone lost Redis', () => {
  let redis: RedisServer;
  let network: TcpProxy;
  let apart: TestService;
  let other: TestService;
  let users = 0;

  const reaches = (isDegraded: boolean): Promise<boolean> =>
    eventually(
      async () => apart.app.get(KeyValueCache).isDegraded,
      (state) => state === isDegraded,
      15,
    );
  const meOn = async (instance: TestService, cookie: string): Promise<number> =>
    (await new TestClient(instance.app).get('/api/auth/me', { cookie })).status;
  const nameOn = async (instance: TestService): Promise<string> =>
    (await instance.client().get<{ name: string }>('/api/info')).body.name;

  beforeAll(async () => {
    redis = await RedisServer.started();
    network = await TcpProxy.to(redis.url);
    other = await TestService.start({ environment: { REDIS_URL: redis.url } });
    apart = await other.another({ environment: { REDIS_URL: network.url } });
  });

  afterEach(async () => {
    network.slowDown(0);
    network.thaw();
    await reaches(false);
  });

  afterAll(async () => {
    await other.stop();
    await network.shut();
    await redis.remove();
  });

  it('applies revocations and settings in time, and restores no old state when the network heals', async () => {
    const sessions = await Promise.all(
      Array.from({ length: 5 }, async () => (await other.signUp(`parted_${users++}`)).cookie),
    );
    const leaver = async (cookie: string): Promise<number> =>
      (await new TestClient(other.app).post('/api/auth/logout', undefined, { cookie })).status;
    await reaches(false);
    for (const cookie of sessions) expect(await meOn(apart, cookie)).toBe(200);

    network.freeze();
    expect(await Promise.all(sessions.map(leaver))).toEqual(sessions.map(() => 204));
    const delays = await Promise.all(
      sessions.map((cookie) => staleFor(async () => (await meOn(apart, cookie)) === 401)),
    );
    expect(Math.max(...delays)).toBeLessThan(BOUND_MS);
    await reaches(true);
    await other.set(appName, 'Known to one');
    expect(await staleFor(async () => (await nameOn(apart)) === 'Known to one')).toBeLessThan(BOUND_MS);
    await apart.set(appName, 'Known to both');
    expect(await staleFor(async () => (await nameOn(other)) === 'Known to both')).toBeLessThan(BOUND_MS);

    network.thaw();
    await reaches(false);
    const end = performance.now() + WATCH_SECONDS * 1_000;
    while (performance.now() < end) {
      for (const instance of [apart, other]) {
        expect(await Promise.all(sessions.map((cookie) => meOn(instance, cookie)))).toEqual(sessions.map(() => 401));
        expect(await nameOn(instance)).toBe('Known to both');
      }
    }
  });

  it('rejects no request while Redis takes two seconds to respond, and does not wait for it', async () => {
    const ann = await apart.signUp(`slow_${users++}`);
    network.slowDown(2_000);
    const times: number[] = [];
    for (let request = 0; request < 40; request++) {
      const began = performance.now();
      const ask = request % 4 === 0 ? ann.post('/api/auth/refresh') : ann.get('/api/auth/me');
      expect((await ask).status).toBe(200);
      times.push(performance.now() - began);
    }
    expect(Math.max(...times)).toBeLessThan(1_000);
    expect(times.sort((a, b) => a - b)[Math.floor(times.length * 0.9)]).toBeLessThan(500);
    await reaches(true);
  });
});
