import { Transactions } from '../database';
import { Invalidations } from './invalidations';
import { ReadThroughCache, ReadThroughCacheOptions } from './read-through-cache';
import { Snapshot } from './snapshot';

/** Creates the read-through caches of the features. The name is the topic of the invalidations between instances. */
export class CacheFactory {
  private readonly names = new Set<string>();

  constructor(
    private readonly transactions: Transactions,
    private readonly invalidations: Invalidations,
  ) {}

  create<T>(name: string, options: ReadThroughCacheOptions<T> = {}): ReadThroughCache<T> {
    if (this.names.has(name)) throw new Error(`There are two caches named ${name}`);
    this.names.add(name);
    const cache = new ReadThroughCache<T>(this.transactions, this.invalidations, name, options);
    this.invalidations.subscribe(name, cache.listener);
    return cache;
  }

  createSnapshot<T extends object>(name: string, load: () => Promise<T>): Snapshot<T> {
    return new Snapshot(this.create<T>(name, { maxEntries: 1 }), load);
  }
}
