import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import { createLru } from './lru';

export interface ProcessMemoryOptions {
  /** How long a value may be used, counted from the start of its load. */
  readonly ttlMs: number;
  readonly maxEntries: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** A loaded value. `since` is set if the value is older than its load. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly since?: number;
}

interface Entry<T> {
  readonly value: T;
  readonly since: number;
}

interface Load<T> {
  readonly since: number;
  result: Promise<T | undefined>;
}

/**
 * The first level of a read-through cache: this process's memory. A load that began before an invalidation never serves
 * a caller that came after it. Callers share the value: treat it as read-only.
 */
export class ProcessMemory<T> {
  private readonly entries: LRUCache<string, Entry<T>>;
  /** The load that new callers may join and whose result may be kept; removing it here marks the load as outdated. */
  private readonly loads = new Map<string, Load<T>>();
  private readonly now: () => number;

  constructor(private readonly options: ProcessMemoryOptions) {
    this.entries = createLru(options.maxEntries);
    this.now = options.now ?? (() => performance.now());
  }

  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    return entry && this.isFresh(entry.since) ? entry.value : undefined;
  }

  /** Loads once for parallel callers. `undefined` and failures are not cached. */
  load(key: string, load: () => Promise<Loaded<T>>): Promise<T | undefined> {
    const running = this.loads.get(key);
    // A slow load may have read its value long ago: joining it means using a value of that age.
    if (running && this.isFresh(running.since)) return running.result;
    return this.begin(key, load);
  }

  delete(key: string): void {
    this.loads.delete(key);
    this.entries.delete(key);
  }

  clear(): void {
    this.loads.clear();
    this.entries.clear();
  }

  private isFresh(since: number): boolean {
    return this.now() - since < this.options.ttlMs;
  }

  private begin(key: string, load: () => Promise<Loaded<T>>): Promise<T | undefined> {
    const current: Load<T> = { since: this.now(), result: Promise.resolve(undefined) };
    this.loads.set(key, current);
    current.result = this.finish(key, current, load);
    return current.result;
  }

  private async finish(key: string, current: Load<T>, load: () => Promise<Loaded<T>>): Promise<T | undefined> {
    try {
      const { value, since = current.since } = await load();
      if (this.loads.get(key) === current) this.keep(key, value, Math.min(since, current.since));
      return value;
    } finally {
      if (this.loads.get(key) === current) this.loads.delete(key);
    }
  }

  private keep(key: string, value: T | undefined, since: number): void {
    if (value === undefined) this.entries.delete(key);
    else this.entries.set(key, { value, since });
  }
}
