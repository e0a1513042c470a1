import { RedisCache } from '../../src/platform/cache';
import { eventually } from '../support/service/eventually';
import { FailoverBench, PREFIX, reaches } from '../support/service/failover-bench';
import { describeWithRedis } from '../support/servers/redis-server';

describeWithRedis('counters when Redis fails and returns', () => {
  let bench: FailoverBench;

  beforeEach(async () => {
    bench = await FailoverBench.open();
  });

  afterEach(() => bench.close());

  it('continue in memory from the last value that this instance knew', async () => {
    const cache = await bench.connected();
    await cache.increment('n', 600, 4);
    await bench.server.kill();
    expect(await cache.increment('n', 600)).toBe(5);
  });

  it('continue in memory also after a second failure', async () => {
    const cache = await bench.connected();
    // Uses an operation that Redis may still execute when it is thawed.
    const lose = async (): Promise<void> => {
      bench.server.freeze();
      await cache.get('anything');
    };
    await cache.increment('before', 600, 4);
    await lose();
    await cache.increment('meanwhile', 600, 2);
    await cache.set('value', 'of then', 600);
    bench.server.thaw();
    await reaches('redis', cache);
    await lose();
    expect([await cache.increment('before', 600), await cache.increment('meanwhile', 600)]).toEqual([5, 3]);
    expect(await cache.get('value')).toBeUndefined();
    bench.server.thaw();
    await reaches('redis', cache);
    expect([await cache.get('before'), await cache.get('meanwhile')]).toEqual([5, 3]);
  });

  it('add up counts of separate instances when Redis kept its data', async () => {
    const [one, two] = [await bench.connected(), await bench.connected()];
    await one.increment('n', 600, 2);
    await two.increment('n', 600, 2);
    bench.server.freeze();
    await one.increment('m', 600);
    await two.get('m');
    await one.increment('n', 600, 3);
    await two.increment('n', 600, 5);
    bench.server.thaw();
    await reaches('redis', one, two);
    expect(await one.get('n')).toBe(12);
    expect(await two.ttl('n')).toBeGreaterThan(580);
  });

  it('lose nothing that one instance knew when Redis returns empty', async () => {
    const [one, two] = [await bench.connected(), await bench.connected()];
    await one.increment('n', 600, 4);
    expect(await two.increment('n', 600)).toBe(5);
    await bench.server.kill();
    await one.increment('n', 600, 2);
    await two.increment('n', 600, 1);
    await bench.server.start();
    await reaches('redis', one, two);
    // 8 were counted. The first instance to replay may not have known the last count of the other before the failure.
    expect([7, 8]).toContain(await one.get<number>('n'));
  });

  it('stay reset when they were deleted during the failure', async () => {
    const cache = await bench.connected();
    await cache.increment('failures', 600, 4);
    bench.server.freeze();
    await cache.delete('failures');
    await cache.increment('failures', 600);
    bench.server.thaw();
    await reaches('redis', cache);
    expect(await cache.get('failures')).toBe(1);
  });

  it('are not lowered below 0 by decrements during the failure', async () => {
    const cache = await bench.connected();
    await cache.increment('n', 600, 2);
    bench.server.freeze();
    await cache.increment('n', 600, -1);
    await cache.increment('never there', 600, -1);
    bench.server.thaw();
    await reaches('redis', cache);
    expect(await cache.get('n')).toBe(1);
    expect(await cache.get('never there')).toBeUndefined();
  });

  it('that returned to zero during the failure give back in Redis what they had added', async () => {
    const [cache, other] = [await bench.connected(), await bench.connected()];
    await cache.increment('pending', 600);
    await other.increment('pending', 600);
    bench.server.freeze();
    await cache.increment('pending', 600, -2);
    await cache.increment('pending', 600);
    await cache.increment('pending', 600, -1);
    bench.server.thaw();
    await reaches('redis', cache, other);
    expect(await cache.get('pending')).toBeUndefined();
  });

  it('keep changes from before and during the failure even when the change log overflows', async () => {
    const cache = await bench.connected();
    await cache.increment('lock of before', 600);
    await bench.server.ask('SET', `${PREFIX}lock of another instance`, '1');
    await cache.set('value', 'stale', 600);
    bench.server.freeze();
    for (let index = 0; index <= 100_000; index++) await cache.delete(`k${index}`);
    await cache.increment('lock of meanwhile', 600);
    bench.server.thaw();
    await reaches('redis', cache);
    for (const key of ['lock of before', 'lock of another instance', 'lock of meanwhile']) {
      expect(`${key}: ${String(await bench.server.ask('GET', `${PREFIX}${key}`))}`).toBe(`${key}: 1`);
    }
    expect(await cache.get('value')).toBeUndefined();
  });

  it('fail no caller when Redis fails again during the replay', async () => {
    const cache = await bench.connected();
    bench.server.freeze();
    await cache.increment('n', 600);
    const hanging = jest.spyOn(RedisCache.prototype, 'mergeCounter').mockReturnValueOnce(new Promise(() => undefined));
    try {
      bench.server.thaw();
      await eventually(
        async () => hanging.mock.calls.length,
        (calls) => calls === 1,
        15,
      );
      await expect(cache.increment('n', 600)).resolves.toBe(2);
    } finally {
      hanging.mockRestore();
    }
    await reaches('redis', cache);
    expect(await cache.get('n')).toBe(2);
  });
});
