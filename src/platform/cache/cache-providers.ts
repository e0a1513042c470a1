import { Provider, Type } from '@nestjs/common';
import { Environment } from '../config';
import { Transactions } from '../database';
import { Log } from '../logging';
import { FailoverCache } from './failover-cache';
import { Invalidations, NoInvalidations } from './invalidations';
import { KeyValueCache } from './key-value-cache';
import { MemoryCache } from './memory-cache';
import { keyPrefix, RedisInvalidations } from './redis';
import { SharedStates } from './shared-state';

function defaultCache(environment: Environment, log: Log, invalidations: Invalidations): KeyValueCache {
  const { redisUrl, isProduction } = environment;
  if (redisUrl !== undefined) {
    return new FailoverCache({ url: redisUrl, prefix: keyPrefix(environment), log, invalidations });
  }
  if (isProduction) {
    log.info(
      'REDIS_URL is not set: limits and locks count for each instance alone, and a change binds the others within a second',
    );
  }
  return new MemoryCache();
}

function defaultInvalidations(environment: Environment): Invalidations {
  const { redisUrl: url } = environment;
  if (url === undefined) return new NoInvalidations();
  return new RedisInvalidations({ url, channel: `${keyPrefix(environment)}invalidations` });
}

/** The cache, a host's own where it has one, and what keeps the instances' memories together. */
export function cacheProviders(hosts: Type<KeyValueCache> | undefined): Provider[] {
  return [
    hosts
      ? { provide: KeyValueCache, useClass: hosts }
      : { provide: KeyValueCache, inject: [Environment, Log, Invalidations], useFactory: defaultCache },
    { provide: Invalidations, inject: [Environment], useFactory: defaultInvalidations },
    {
      provide: SharedStates,
      inject: [Transactions, Invalidations],
      useFactory: (transactions: Transactions, invalidations: Invalidations) =>
        new SharedStates(transactions, invalidations),
    },
  ];
}
