import { NestFactory } from '@nestjs/core';
import { silentLog } from '../../../test/support/recording-log';
import { Environment } from '../config';
import { DatabaseServerRepository, Transactions } from '../database';
import { Scheduler } from '../jobs';
import { Log } from '../logging';
import { cacheProviders } from './cache-providers';
import { CounterStore } from './counter-store';
import { KeyValueCache } from './key-value-cache';
import { MemoryCache } from './memory-cache';

class HostCache extends MemoryCache {}
class TestModule {}

describe('cacheProviders', () => {
  it.each([
    ['the default cache', undefined, MemoryCache],
    ['the cache of a host', HostCache, HostCache],
  ])('keeps counters in %s', async (_, hostCache, expected) => {
    const surroundings = [
      { provide: Environment, useValue: { isProduction: false } },
      { provide: Log, useValue: silentLog },
      { provide: Transactions, useValue: {} },
      { provide: DatabaseServerRepository, useValue: {} },
      { provide: Scheduler, useValue: {} },
    ];
    const module = { module: TestModule, providers: [...surroundings, ...cacheProviders(hostCache)] };
    const app = await NestFactory.createApplicationContext(module, { logger: false });
    expect(app.get(CounterStore)).toBeInstanceOf(expected);
    expect(app.get(CounterStore)).toBe(app.get(KeyValueCache));
    await app.close();
  });
});
