import { randomUUID } from 'node:crypto';
import { connectRedis, disconnect, FailoverCache, MemoryCache, RedisCache } from '../../src/platform/cache';
import { CacheUnderTest, keyValueCacheContract } from '../../src/testing';
import { eventually } from '../support/service/eventually';
import { silentLog } from '../support/service/recording-log';

const redisUrl = process.env['TEST_REDIS_URL'];
const UNREACHABLE = 'redis://127.0.0.1:1';

function describeKeyValueCache(name: string, make: () => Promise<CacheUnderTest>): void {
  describe(`${name} fulfils the contract of KeyValueCache:`, () => {
    for (const { name: promise, run } of keyValueCacheContract(make)) it(promise, run);

    it('rejects counting on a value and leaves it unchanged', async () => {
      const { cache, close } = await make();
      await cache.set('k', { a: 1 }, 10);
      const steps = ['k', 'n'].map((to) => ({ add: 1, to, ttlSeconds: 10 }));
      await expect(cache.count(...steps)).rejects.toThrow(TypeError);
      expect(await cache.get('n')).toBeUndefined();
      await close?.();
    });
  });
}

function virtualClock(): { now: () => number; advance: (milliseconds: number) => void } {
  let now = 0;
  const advance = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { now: () => now, advance };
}

describeKeyValueCache('MemoryCache', async () => {
  const clock = virtualClock();
  return { cache: new MemoryCache(clock), close: async () => undefined, advance: clock.advance };
});

describeKeyValueCache('FailoverCache without Redis', async () => {
  const clock = virtualClock();
  const cache = new FailoverCache({ url: UNREACHABLE, prefix: 'test:', log: silentLog, memory: clock });
  cache.onModuleInit();
  return { cache, close: () => cache.close(), advance: clock.advance };
});

if (redisUrl === undefined) {
  process.stdout.write('TEST_REDIS_URL is not set: the contract is not tested with Redis');
} else {
  describeKeyValueCache('RedisCache', async () => {
    const prefix = `castellan-test:${randomUUID()}:`;
    const client = await connectRedis({
      url: redisUrl,
      key: prefix,
      name: 'castellan-test',
      timeoutMs: 5_000,
      onLost: () => undefined,
    });
    const cache = new RedisCache(client, prefix);
    return {
      cache,
      close: async () => {
        await cache.clearValues();
        disconnect(client);
      },
    };
  });

  describeKeyValueCache('FailoverCache with Redis', async () => {
    const cache = new FailoverCache({ url: redisUrl, prefix: `castellan-test:${randomUUID()}:`, log: silentLog });
    cache.onModuleInit();
    await eventually(
      async () => cache.mode,
      (mode) => mode === 'redis',
    );
    return { cache, close: () => cache.close() };
  });
}
