import { Transactions } from '../database';
import { MaybePromise } from '../util';
import { InvalidationListener, Invalidations } from './invalidations';
import { Loaded, ProcessMemory } from './process-memory';

/** The longest time until a change made in another instance takes effect here. */
const TTL_MS = 1_000;
const MAX_ENTRIES = 50_000;
const EVERYTHING = 'everything';

/** A second level, between this process's memory and the database, shared by all instances. */
export interface SharedLevel<T> {
  /** `value` is undefined when the database has to be queried. */
  find(key: string): Promise<Loaded<T>>;

  /** Stores a value read from the database; never rejects, and no reader waits for it. */
  store(key: string, value: T): Promise<void>;

  /** The keys have changed: this process must not use earlier entries. */
  invalidate(keys: readonly string[]): void;
}

export interface ReadThroughCacheOptions<T> {
  readonly maxEntries?: number;
  /** Above a second only for data whose changes may take effect later. */
  readonly ttlMs?: number;
  readonly shared?: SharedLevel<T>;
}

/**
 * Caches data that requests read by key and any instance may change: in process memory for at most a second, then in a
 * shared level if there is one, then in the database. A change invalidates it on commit, here and by a message in other
 * instances. The age of a value counts from the start of its load, so a value from before a commit is gone at most a
 * second after the commit, even if the message is lost. A load that starts after the commit reads the new value.
 */
export class ReadThroughCache<T> {
  /** Receives the changes of other instances: `CacheFactory` subscribes it. */
  readonly listener: InvalidationListener = {
    invalidate: (keys) => {
      this.drop(keys);
    },
    invalidateAll: () => {
      this.memory.clear();
    },
  };

  private readonly memory: ProcessMemory<T>;
  private readonly shared: SharedLevel<T> | undefined;
  /** The keys that running transactions have changed, by their entity manager. */
  private readonly changed = new WeakMap<object, ReadonlySet<string> | typeof EVERYTHING>();
  /** Loads within running transactions: parallel reads query their one connection once. */
  private readonly loading = new WeakMap<object, Map<string, Promise<T | undefined>>>();

  constructor(
    private readonly transactions: Transactions,
    private readonly invalidations: Pick<Invalidations, 'publish'>,
    private readonly name: string,
    { maxEntries = MAX_ENTRIES, ttlMs = TTL_MS, shared }: ReadThroughCacheOptions<T>,
  ) {
    this.memory = new ProcessMemory<T>({ ttlMs, maxEntries });
    this.shared = shared;
  }

  /** Returns the value in memory; undefined: call `get`. */
  getCached(key: string): T | undefined {
    return this.isChangedHere(key) ? undefined : this.memory.get(key);
  }

  /** Callers share the value: treat it as read-only. */
  get(key: string, load: () => Promise<T | undefined>): MaybePromise<T | undefined> {
    const cached = this.getCached(key);
    if (cached !== undefined) return cached;
    return this.transactions.isOpen
      ? this.loadWithin(key, load)
      : this.memory.load(key, () => this.loadThrough(key, load));
  }

  /** Loads past the cache, for callers that know of a newer state. */
  reload(key: string, load: () => Promise<T | undefined>): Promise<T | undefined> {
    this.invalidateLocal(key);
    return this.transactions.isOpen
      ? this.loadWithin(key, load)
      : this.memory.load(key, () => this.loadFromDatabase(key, load));
  }

  /** Call in the transaction that changes the data under these keys. */
  async invalidate(keys: string | readonly string[]): Promise<void> {
    const named = typeof keys === 'string' ? [keys] : keys;
    if (this.transactions.isOpen) this.markChanged(named);
    await this.transactions.afterCommit(async () => {
      this.drop(named);
      await this.invalidations.publish(this.name, named);
    });
  }

  /** As `invalidate`, for a change whose keys are unknown. */
  async invalidateAll(): Promise<void> {
    if (this.transactions.isOpen) {
      this.changed.set(this.transactions.manager, EVERYTHING);
      this.loading.delete(this.transactions.manager);
    }
    await this.transactions.afterCommit(async () => {
      this.memory.clear();
      await this.invalidations.publish(this.name);
    });
  }

  /** Drops entries in this process without notifying others: for suspected, not for known changes. */
  invalidateLocal(keys: string | readonly string[]): void {
    for (const key of typeof keys === 'string' ? [keys] : keys) this.memory.delete(key);
  }

  private async loadThrough(key: string, load: () => Promise<T | undefined>): Promise<Loaded<T>> {
    const found = await this.shared?.find(key);
    return found?.value === undefined ? this.loadFromDatabase(key, load) : found;
  }

  private async loadFromDatabase(key: string, load: () => Promise<T | undefined>): Promise<Loaded<T>> {
    const value = await load();
    if (value !== undefined) void this.shared?.store(key, value);
    return { value };
  }

  private drop(keys: readonly string[]): void {
    this.shared?.invalidate(keys);
    this.invalidateLocal(keys);
  }

  private isChangedHere(key: string): boolean {
    if (!this.transactions.isOpen) return false;
    const changed = this.changed.get(this.transactions.manager);
    return changed === EVERYTHING || (changed?.has(key) ?? false);
  }

  /**
   * A load in a transaction may see uncommitted data, and one outside may be waiting for the transaction's connection:
   * neither is shared.
   */
  private async loadWithin(key: string, load: () => Promise<T | undefined>): Promise<T | undefined> {
    const { manager } = this.transactions;
    const loads = this.loading.get(manager) ?? new Map<string, Promise<T | undefined>>();
    this.loading.set(manager, loads);
    const running = loads.get(key) ?? load();
    loads.set(key, running);
    try {
      return await running;
    } finally {
      if (loads.get(key) === running) loads.delete(key);
    }
  }

  private markChanged(keys: readonly string[]): void {
    const { manager } = this.transactions;
    for (const key of keys) this.loading.get(manager)?.delete(key);
    const before = this.changed.get(manager) ?? new Set();
    if (before !== EVERYTHING) this.changed.set(manager, new Set([...before, ...keys]));
  }
}
