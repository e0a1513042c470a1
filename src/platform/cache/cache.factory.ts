import { Transactions } from '../database';
import { Invalidations } from './invalidations';
import { ReadThroughCache, ReadThroughCacheOptions } from './read-through-cache';
import { Snapshot } from './snapshot';

/**
 * Receives each change of cached data, after its commit, whichever instance made it. Without keys: anything of the topic
 * may have changed.
 */
export type ChangeListener = (topic: string, keys?: readonly string[]) => void;

/** Creates the read-through caches of the features. The name is the topic of the invalidations between instances. */
export class CacheFactory {
  private readonly names = new Set<string>();
  private readonly listeners: ChangeListener[] = [];
  /** Publishes the changes of this instance, to its own listeners first. */
  private readonly publisher: Pick<Invalidations, 'publish'> = {
    publish: (topic, keys) => {
      this.notify(topic, keys);
      return this.invalidations.publish(topic, keys);
    },
  };

  constructor(
    private readonly transactions: Transactions,
    private readonly invalidations: Invalidations,
  ) {}

  create<T>(name: string, options: ReadThroughCacheOptions<T> = {}): ReadThroughCache<T> {
    if (this.names.has(name)) throw new Error(`There are two caches named ${name}`);
    this.names.add(name);
    const cache = new ReadThroughCache<T>(this.transactions, this.publisher, name, options);
    this.invalidations.subscribe(name, {
      invalidate: (keys) => {
        cache.listener.invalidate(keys);
        this.notify(name, keys);
      },
      invalidateAll: () => {
        cache.listener.invalidateAll();
        this.notify(name);
      },
    });
    return cache;
  }

  /** Best effort for the changes of other instances, as `Invalidations`. The listener must not throw. */
  onChange(listener: ChangeListener): void {
    this.listeners.push(listener);
  }

  createSnapshot<T extends object>(name: string, load: () => Promise<T>): Snapshot<T> {
    return new Snapshot(this.create<T>(name, { maxEntries: 1 }), load);
  }

  private notify(topic: string, keys?: readonly string[]): void {
    for (const listener of this.listeners) listener(topic, keys);
  }
}
