import { FailoverCache, readEvictionPolicy, RedisInvalidations } from '../../src/platform/cache';
import { eventually } from '../support/service/eventually';
import { reaches } from '../support/service/failover-bench';
import { RecordingLog } from '../support/service/recording-log';
import { RedisSentinels } from '../support/servers/redis-sentinels';
import { describeWithRedis } from '../support/servers/redis-server';
import { cacheOf } from '../support/service/several-instances';
import { TestService } from '../support/service/test-service';

jest.setTimeout(90_000);

const PREFIX = 'castellan:{test}:';
/** Nothing listens there. */
const NO_SENTINEL = 'redis://127.0.0.1:1';

const errorsIn = ({ lines }: RecordingLog): string[] => lines.map(({ fields }) => String(fields?.['err']));

describeWithRedis('Redis Sentinel', () => {
  let redis: RedisSentinels;
  const open: { close(): Promise<void> }[] = [];

  const cacheAt = (
    sentinelUrls = redis.sentinelUrls,
    url = redis.masterUrl,
    log = new RecordingLog(),
  ): FailoverCache => {
    const cache = new FailoverCache({ url, sentinelUrls, prefix: PREFIX, log });
    cache.onModuleInit();
    open.push(cache);
    return cache;
  };
  const connected = async (sentinelUrls?: readonly string[]): Promise<FailoverCache> => {
    const cache = cacheAt(sentinelUrls);
    await reaches('redis', cache);
    return cache;
  };
  const onMaster = async (...command: string[]): Promise<unknown> => {
    const [master] = await redis.masters();
    return master && redis.ask(master, ...command);
  };

  beforeEach(async () => {
    redis = await RedisSentinels.started();
  });

  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
    await redis.remove();
  });

  it('names the master, also while the first Sentinel is away', async () => {
    const ways = [redis.sentinelUrls, [NO_SENTINEL, ...redis.sentinelUrls.slice(1)]];
    for (const [place, sentinels] of ways.entries()) {
      const cache = await connected(sentinels);
      expect(await cache.increment('any', 60)).toBe(place + 1);
    }
    expect(await onMaster('GET', `${PREFIX}any`)).toBe('2');
  });

  it('that watches no such master leads to memory, and the log names it', async () => {
    const log = new RecordingLog();
    const cache = cacheAt(redis.sentinelUrls, 'redis://another-name', log);
    expect(await cache.increment('any', 60)).toBe(1);
    await eventually(
      async () => errorsIn(log),
      (errors) => errors.includes('Error: The Sentinel does not watch a master with the name another-name'),
    );
    expect(cache.mode).toBe('memory');
  });

  it('that names a replica as the master leads to memory, and the log names it', async () => {
    const name = await redis.mistakeReplicaForMaster();
    const log = new RecordingLog();
    const cache = cacheAt(redis.sentinelUrls.slice(0, 1), `redis://${name}`, log);
    await eventually(
      async () => errorsIn(log),
      (errors) => errors.some((error) => /^Error: 127\.0\.0\.1:\d+ is no longer the master$/.test(error)),
    );
    expect(cache.mode).toBe('memory');
  });

  it('leads to the promoted replica, with the counters of this process', async () => {
    const cache = await connected();
    await cache.increment('lock', 600);
    await redis.killFirstSentinel();
    const former = await redis.killMaster();
    expect(await cache.increment('lock', 600)).toBe(2);
    await reaches('redis', cache);
    await eventually(
      () => onMaster('GET', `${PREFIX}lock`).catch(() => undefined),
      (there) => there === '2',
      30,
    );
    // The former master returns as one, until the Sentinels make it a replica.
    await former.start();
    const another = await connected();
    expect(await another.increment('lock', 600)).toBe(3);
    await eventually(
      () => redis.masters(),
      (masters) => masters.length === 1,
      30,
    );
    expect(await onMaster('GET', `${PREFIX}lock`)).toBe('3');
  });

  it('leads publishers and subscribers to the same new master', async () => {
    const link = (): RedisInvalidations => {
      const { masterUrl: url, sentinelUrls } = redis;
      const made = new RedisInvalidations({ url, sentinelUrls, channel: `${PREFIX}changes` });
      open.push(made);
      made.onModuleInit();
      return made;
    };
    const [one, two] = [link(), link()];
    const received: string[] = [];
    two.subscribe('user', { invalidate: (keys) => received.push(...keys), invalidateAll: () => undefined });
    const arrives = (key: string): Promise<unknown> =>
      eventually(
        async () => {
          await one.publish('user', [key]);
          return received;
        },
        (keys) => keys.includes(key),
        30,
      );
    await arrives('before');
    await redis.killMaster();
    await arrives('after');
  });

  it('is asked by the doctor for the eviction policy of the master', async () => {
    await onMaster('CONFIG', 'SET', 'maxmemory-policy', 'volatile-ttl');
    expect(await readEvictionPolicy({ url: redis.masterUrl, sentinelUrls: redis.sentinelUrls }, PREFIX)).toBe(
      'volatile-ttl',
    );
  });
});

describeWithRedis('Redis Sentinel with passwords', () => {
  it('serves the instances of a service, which continue on the new master', async () => {
    const redis = await RedisSentinels.started({ ofRedis: 'server-password', ofSentinels: 'sentinel-password' });
    const service = await TestService.start({
      environment: { REDIS_URL: redis.masterUrl, REDIS_SENTINEL_URLS: redis.sentinelUrls.join(',') },
    });
    const isOn = (): Promise<unknown> =>
      eventually(
        () => cacheOf(service),
        (state) => state === 'ok',
        30,
      );
    try {
      await isOn();
      await redis.killMaster();
      await service.register('ann');
      await isOn();
      expect(service.logLines.join()).not.toMatch(/(server|sentinel)-password/);
    } finally {
      await service.stop();
      await redis.remove();
    }
  });
});
