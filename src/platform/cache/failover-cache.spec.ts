import { eventually } from '../../../test/support/service/eventually';
import { silentLog } from '../../../test/support/service/recording-log';
import { FailoverCache } from './failover-cache';
import { ConnectOptions, RedisClient } from './redis';
import { fake } from '../../../test/support/service/fake';

const mockConnect = jest.fn<Promise<RedisClient>, [ConnectOptions]>();
jest.mock('./redis/redis-client', () => ({
  ...jest.requireActual<object>('./redis/redis-client'),
  connectRedis: (options: ConnectOptions) => mockConnect(options),
}));

const ENOUGH = 100;

/** Accepts the probe and disconnects in the tick in which the cache starts to use the connection. */
function breaking({ onLost }: ConnectOptions): RedisClient {
  let asked = 0;
  const set = (): Promise<string> => {
    setImmediate(() => {
      onLost(new Error('ECONNRESET'));
    });
    return Promise.resolve('OK');
  };
  const get = (): Promise<never> => {
    // Fails a runaway test instead of letting the process hang: a RangeError is not retried.
    if (++asked > ENOUGH) throw new RangeError('asked again and again');
    return Promise.reject(new Error('The client is closed'));
  };
  return fake<RedisClient>({ isOpen: false, set, get });
}

const sound = (): RedisClient =>
  ({
    isOpen: true,
    set: () => Promise.resolve('OK'),
    get: () => Promise.resolve('{"value":"from Redis"}'),
    ping: () => Promise.resolve('PONG'),
    disconnect: () => Promise.resolve(),
  }) as unknown as RedisClient;

/** Records the counters it receives, replayed or counted directly; `asked` settles when the probe is answered. */
function counting(): { client: RedisClient; received: Set<string>; asked: Promise<void> } {
  const received = new Set<string>();
  let probed = (): void => undefined;
  const asked = new Promise<void>((resolve) => (probed = resolve));
  const more = {
    set: () => {
      probed();
      return Promise.resolve('OK');
    },
    mergeCounter: async (key: string) => void received.add(key),
    count: async (steps: { key: string }[]) => {
      for (const { key } of steps) received.add(key);
      return steps.map(() => 1);
    },
  };
  return { client: Object.assign(sound(), more), received, asked };
}

function started(prefix: string): FailoverCache {
  const cache = new FailoverCache({ url: 'redis://cache.invalid', prefix, log: silentLog });
  cache.onModuleInit();
  return cache;
}

describe('FailoverCache', () => {
  it('stays in memory when a new connection breaks at once, and uses the next one', async () => {
    mockConnect.mockImplementationOnce((options) => Promise.resolve(breaking(options)));
    mockConnect.mockImplementation(() => Promise.resolve(sound()));
    const cache = started('test:');
    for (const turn of [setImmediate, setImmediate]) await new Promise(turn);
    expect(cache.mode).toBe('memory');
    expect(await cache.get('key')).toBeUndefined();
    expect(await eventually(() => cache.get('key'), Boolean)).toBe('from Redis');
    await cache.close();
  });

  it('replays counts made during a reconnect to Redis', async () => {
    const steps = Array.from({ length: 250 }, (_, n) => ({ add: 1, to: `n${n}`, ttlSeconds: 60 }));
    const losses: string[] = [];
    for (let microtasks = 0; microtasks < 40; microtasks++) {
      const { client, received, asked } = counting();
      mockConnect.mockImplementation(() => Promise.resolve(client));
      const cache = started('');
      await asked;
      for (let passed = 0; passed < microtasks; passed++) await Promise.resolve();
      await cache.count(...steps);
      await eventually(
        async () => cache.mode,
        (mode) => mode === 'redis',
      );
      if (received.size < steps.length) losses.push(`${received.size} after ${microtasks}`);
      await cache.close();
    }
    expect(losses).toEqual([]);
  });
});
