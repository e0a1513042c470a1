import { Provider, Type } from '@nestjs/common';
import { Transactions } from '../database';
import { Invalidations, NoInvalidations } from './invalidations';
import { KeyValueCache } from './key-value-cache';
import { MemoryCache } from './memory-cache';
import { SharedStates } from './shared-state';

/** The cache, a host's own where it has one, and what keeps the instances' memories together. */
export function cacheProviders(hosts: Type<KeyValueCache> | undefined): Provider[] {
  return [
    hosts
      ? { provide: KeyValueCache, useClass: hosts }
      : { provide: KeyValueCache, useFactory: () => new MemoryCache() },
    { provide: Invalidations, useFactory: () => new NoInvalidations() },
    {
      provide: SharedStates,
      inject: [Transactions, Invalidations],
      useFactory: (transactions: Transactions, invalidations: Invalidations) =>
        new SharedStates(transactions, invalidations),
    },
  ];
}
