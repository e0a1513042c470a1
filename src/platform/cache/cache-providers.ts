import { Provider, Type } from '@nestjs/common';
import { Environment } from '../config';
import { Transactions } from '../database';
import { Log } from '../logging';
import { CacheFactory } from './cache.factory';
import { CounterStore } from './counter-store';
import { FailoverCache } from './failover-cache';
import { Invalidations, NoInvalidations } from './invalidations';
import { KeyValueCache } from './key-value-cache';
import { MemoryCache } from './memory-cache';
import { keyPrefix, RedisInvalidations, redisServers } from './redis';
import { SharedRedisJob } from './shared-redis.job';

function defaultCache(environment: Environment, log: Log, invalidations: Invalidations): KeyValueCache {
  const { isProduction } = environment;
  const servers = redisServers(environment);
  if (servers) {
    return new FailoverCache({ ...servers, prefix: keyPrefix(environment), log, invalidations });
  }
  if (isProduction) {
    log.info(
      'REDIS_URL is not set: limits and locks count per instance, and changes reach other instances within a second',
    );
  }
  return new MemoryCache();
}

function defaultInvalidations(environment: Environment): Invalidations {
  const servers = redisServers(environment);
  if (!servers) return new NoInvalidations();
  return new RedisInvalidations({ ...servers, channel: `${keyPrefix(environment)}invalidations` });
}

/** @param hostCache replaces the default cache, its counters included. */
export function cacheProviders(hostCache: Type<KeyValueCache> | undefined): Provider[] {
  return [
    hostCache
      ? { provide: KeyValueCache, useClass: hostCache }
      : { provide: KeyValueCache, inject: [Environment, Log, Invalidations], useFactory: defaultCache },
    { provide: CounterStore, useExisting: KeyValueCache },
    { provide: Invalidations, inject: [Environment], useFactory: defaultInvalidations },
    {
      provide: CacheFactory,
      inject: [Transactions, Invalidations],
      useFactory: (transactions: Transactions, invalidations: Invalidations) =>
        new CacheFactory(transactions, invalidations),
    },
    SharedRedisJob,
  ];
}
