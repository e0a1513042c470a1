import { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { silentLog } from '../../../test/support/service/recording-log';
import { Environment } from '../config';
import { DatabaseServerRepository, Transactions } from '../database';
import { Scheduler } from '../jobs';
import { Log } from '../logging';
import { cacheProviders } from './cache-providers';
import { CounterStore } from './counter-store';
import { Invalidations } from './invalidations';
import { KeyValueCache } from './key-value-cache';
import { MemoryCache } from './memory-cache';
import { ConnectOptions } from './redis';

const mockConnect = jest.fn<Promise<never>, [ConnectOptions]>(() => new Promise(() => undefined));
jest.mock('./redis/redis-client', () => ({
  ...jest.requireActual<object>('./redis/redis-client'),
  connectRedis: (options: ConnectOptions) => mockConnect(options),
}));

class HostCache extends MemoryCache {}
class TestModule {}

function moduleOf(environment: Partial<Environment>, hostCache?: Type<KeyValueCache>): DynamicModule {
  const surroundings = [
    { provide: Environment, useValue: environment },
    { provide: Log, useValue: silentLog },
    { provide: Transactions, useValue: {} },
    { provide: DatabaseServerRepository, useValue: {} },
    { provide: Scheduler, useValue: { every: () => undefined } },
  ];
  return { module: TestModule, providers: [...surroundings, ...cacheProviders(hostCache)] };
}

describe('cacheProviders', () => {
  it.each([
    ['the default cache', undefined, MemoryCache],
    ['the cache of a host', HostCache, HostCache],
  ])('keeps counters in %s', async (_, hostCache, expected) => {
    const module = moduleOf({ isProduction: false }, hostCache);
    const app = await NestFactory.createApplicationContext(module, { logger: false });
    expect(app.get(CounterStore)).toBeInstanceOf(expected);
    expect(app.get(CounterStore)).toBe(app.get(KeyValueCache));
    await app.close();
  });

  it('connects to Redis when the modules are initialised, each connection once', async () => {
    const { providers = [], ...module } = moduleOf({ redisUrl: 'redis://cache.invalid', serviceScope: 'test' });
    const connections = (): string[] => mockConnect.mock.calls.map(([{ name }]) => name);
    const whenBuilt = { provide: 'connections', inject: [KeyValueCache, Invalidations], useFactory: connections };
    const app = await NestFactory.createApplicationContext(
      { ...module, providers: [...providers, whenBuilt] },
      { logger: false },
    );
    expect(app.get('connections')).toEqual([]);
    expect(connections().sort()).toEqual(['castellan-cache', 'castellan-publish', 'castellan-subscribe']);
    await app.close();
  });
});
