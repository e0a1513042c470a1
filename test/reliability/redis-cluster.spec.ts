import { FailoverCache, readEvictionPolicy, RedisInvalidations } from '../../src/platform/cache';
import { keyValueCacheContract } from '../../src/testing';
import { eventually } from '../support/service/eventually';
import { reaches } from '../support/service/failover-bench';
import { RecordingLog } from '../support/service/recording-log';
import { RedisCluster } from '../support/servers/redis-cluster';
import { describeWithRedis } from '../support/servers/redis-server';
import { cacheOf, guess, repeated } from '../support/service/several-instances';
import { TestService } from '../support/service/test-service';

jest.setTimeout(90_000);

const PREFIX = 'castellan:{test}:';
/** Key prefix of a service with the scope `iam`. */
const OF_SERVICE = 'castellan:{iam}:';

describeWithRedis('Redis Cluster', () => {
  let cluster: RedisCluster;
  const caches: FailoverCache[] = [];

  const connected = async (url = cluster.urls, prefix = PREFIX, log = new RecordingLog()): Promise<FailoverCache> => {
    const cache = new FailoverCache({ url, prefix, log });
    caches.push(cache);
    cache.onModuleInit();
    await reaches('redis', cache);
    return cache;
  };

  beforeAll(async () => {
    cluster = await RedisCluster.started();
  });

  afterEach(async () => {
    for (const cache of caches.splice(0)) await cache.close();
  });

  afterAll(() => cluster.remove());

  describe('fulfils the contract of KeyValueCache:', () => {
    let made = 0;
    const make = async () => {
      const cache = await connected(cluster.urls, `castellan:{contract${made++}}:`);
      return { cache, close: () => cache.close() };
    };
    for (const { name: promise, run } of keyValueCacheContract(make)) it(promise, run);
  });

  it('is used through any of its nodes', async () => {
    const urls = [...cluster.nodeUrls, `redis://127.0.0.1:1,${cluster.nodeUrls[0] ?? ''}`];
    const ways = await Promise.all(urls.map((url) => connected(url)));
    for (const [index, cache] of ways.entries()) expect(await cache.increment('any node', 60)).toBe(index + 1);
    const holder = await cluster.holderOf(PREFIX);
    expect(await holder.ask('GET', `${PREFIX}any node`)).toBe(String(urls.length));
  });

  it('updates related counters in one step', async () => {
    const cache = await connected();
    const { results } = await repeated(
      async (round) => {
        await reaches('redis', cache);
        const steps = ['guesses:ann', 'guesses:192.0.2.1', 'pending:ann'].map((to) => ({
          add: 1,
          to: `${round}:${to}`,
          ttlSeconds: 60,
        }));
        const counted = await Promise.all(Array.from({ length: 50 }, () => cache.count(...steps)));
        return { results: counted, mode: cache.mode };
      },
      ({ mode }) => mode === 'redis',
    );
    expect(results.map(([first]) => first).sort((one = 0, other = 0) => one - other)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    expect(results.every(([first, ...others]) => others.every((sum) => sum === first))).toBe(true);
  });

  it('is asked for the eviction policy of the nodes that hold the keys', async () => {
    const [holder, stranger] = [await cluster.holderOf(PREFIX), await cluster.strangerTo(PREFIX)];
    await holder.ask('CONFIG', 'SET', 'maxmemory-policy', 'volatile-ttl');
    expect(await readEvictionPolicy({ url: stranger.url }, PREFIX)).toBe('volatile-ttl');
  });

  it('counts wrong passwords of two instances that know different nodes', async () => {
    const [holder, stranger] = [await cluster.holderOf(OF_SERVICE), await cluster.strangerTo(OF_SERVICE)];
    const one = await TestService.start({ environment: { REDIS_URL: holder.url } });
    try {
      const two = await one.another({ environment: { REDIS_URL: stranger.url } });
      await eventually(
        () => Promise.all([one, two].map(cacheOf)),
        (states) => states.every((state) => state === 'ok'),
        30,
      );
      const guessByTurns = async (round: number): Promise<string[]> => {
        const username = `guessed_${round}`;
        await one.register(username);
        const codes: string[] = [];
        for (let turn = 0; turn < 11; turn++) {
          codes.push(await guess(turn % 2 === 0 ? one : two, username, `198.18.${round}.${turn}`));
        }
        return codes;
      };
      const codes = await repeated(guessByTurns, (found) => found.at(-1) === 'account_locked');
      expect(codes).toEqual([...Array.from({ length: 10 }, () => 'invalid_credentials'), 'account_locked']);
    } finally {
      await one.stop();
    }
  });

  it('carries invalidations between instances', async () => {
    const stranger = await cluster.strangerTo(PREFIX);
    const open = (url: string): RedisInvalidations => new RedisInvalidations({ url, channel: `${PREFIX}told` });
    const [one, two] = [open(cluster.urls), open(stranger.url)];
    for (const each of [one, two]) each.onModuleInit();
    const received: string[] = [];
    two.subscribe('user', { invalidate: (keys) => received.push(...keys), invalidateAll: () => undefined });
    try {
      await eventually(
        async () => {
          await one.publish('user', ['ann']);
          return received;
        },
        (keys) => keys.includes('ann'),
        15,
      );
    } finally {
      await one.close();
      await two.close();
    }
  });

  it('is followed when a slot moves, with the counters of this process', async () => {
    const log = new RecordingLog();
    const cache = await connected((await cluster.holderOf(PREFIX)).url, PREFIX, log);
    await cache.increment('lock', 600);
    const holder = await cluster.moveSlotOf(PREFIX);
    expect(await cache.increment('lock', 600)).toBe(2);
    await eventually(
      () => holder.ask('GET', `${PREFIX}lock`),
      (there) => there === '2',
      30,
    );
    await reaches('redis', cache);
    expect(log.at('warn')[0]).toBe('Redis is unreachable; memory replaces it');
  });

  it('is used again after a replica has taken over', async () => {
    const cache = await connected();
    await cache.increment('outlasting', 600);
    await cluster.killHolderOf(PREFIX);
    expect(await cache.increment('outlasting', 600)).toBe(2);
    await reaches('redis', cache);
    const holder = await cluster.holderOf(PREFIX);
    expect(await holder.ask('GET', `${PREFIX}outlasting`)).toBe('2');
  });
});
