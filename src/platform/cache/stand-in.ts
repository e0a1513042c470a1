import { CounterStep, KeyValueCache } from './key-value-cache';
import { MemoryCache, MemoryCacheOptions } from './memory-cache';

const MAX_CHANGES = 100_000;
const UNCHANGED_COUNTER: Change = { replaced: false, counted: 0, isCounter: true, endedAtZero: false };

/** What became of a key while memory stood in. */
export interface Change {
  /** Whether the key was set, deleted or taken: what the store has under it is void. */
  readonly replaced: boolean;
  /** What was counted since, or since the loss. */
  readonly counted: number;
  readonly isCounter: boolean;
  /** The counter did not run out but was counted down: what was counted still holds for the store's. */
  readonly endedAtZero: boolean;
}

/**
 * Memory in the place of a store that is out of reach. It notes which keys it changed, so that the store can be told once
 * it is back. What was there before the loss it does not know, but for the counters that this process raised.
 */
export class StandIn extends KeyValueCache {
  readonly memory: MemoryCache;
  private changes = new Map<string, Change>();
  private overflowed = false;

  constructor(options?: MemoryCacheOptions) {
    super();
    this.memory = new MemoryCache(options);
  }

  get<T>(key: string): Promise<T | undefined> {
    return this.memory.get<T>(key);
  }

  async set(key: string, value: unknown, ttlSeconds: number): Promise<void> {
    await this.memory.set(key, value, ttlSeconds);
    this.noteReplaced(key);
  }

  async delete(...keys: string[]): Promise<void> {
    await this.memory.delete(...keys);
    for (const key of keys) this.noteReplaced(key);
  }

  async setIfNewer(key: string, value: unknown, version: number, ttlSeconds: number): Promise<boolean> {
    const stored = await this.memory.setIfNewer(key, value, version, ttlSeconds);
    if (stored) this.noteReplaced(key);
    return stored;
  }

  async increment(key: string, ttlSeconds: number, by = 1): Promise<number> {
    const sum = await this.memory.increment(key, ttlSeconds, by);
    this.noteCounted(key, by, sum);
    return sum;
  }

  override async count(...steps: readonly CounterStep[]): Promise<number[]> {
    const results = await this.memory.count(...steps);
    steps.forEach((step, place) => {
      if ('add' in step) this.noteCounted(step.to, step.add, results[place] ?? 0);
      else if ('drop' in step) this.noteReplaced(step.drop);
    });
    return results;
  }

  ttl(key: string): Promise<number> {
    return this.memory.ttl(key);
  }

  async take<T>(key: string): Promise<T | undefined> {
    const value = await this.memory.take<T>(key);
    this.noteReplaced(key);
    return value;
  }

  get changeCount(): number {
    return this.changes.size;
  }

  /** More keys were changed than could be noted. */
  get hasLostChanges(): boolean {
    return this.overflowed;
  }

  /** To be called once the store's values are gone. What it counts it still has; every counter here is told to it anew. */
  lostChangesAreHealed(): void {
    this.overflowed = false;
    for (const key of this.memory.counterKeys()) {
      if (!this.changes.has(key)) this.changes.set(key, UNCHANGED_COUNTER);
    }
  }

  /** Hands out changes to be told, oldest first; they are noted no longer. */
  takeChanges(most: number): Map<string, Change> {
    const taken = new Map<string, Change>();
    for (const [key, change] of this.changes) {
      if (taken.size === most) break;
      taken.set(key, change);
    }
    for (const key of taken.keys()) this.changes.delete(key);
    return taken;
  }

  /** Notes again what could not be told. */
  putBack(untold: ReadonlyMap<string, Change>): void {
    for (const [key, change] of untold) {
      const since = this.changes.get(key);
      if (since?.replaced) continue;
      const counted = change.counted + (since?.counted ?? 0);
      const { endedAtZero } = since ?? change;
      this.note(key, { ...change, counted, isCounter: change.isCounter || since !== undefined, endedAtZero });
    }
  }

  private noteCounted(key: string, by: number, sum: number): void {
    const before = this.changes.get(key);
    // A sum of this very step begins a new window, unless there was one at 0; what was counted before it is over.
    const isNew = sum === by && !before?.endedAtZero;
    const counted = isNew ? by : (before?.counted ?? 0) + by;
    this.note(key, { replaced: before?.replaced ?? false, counted, isCounter: true, endedAtZero: sum === 0 });
  }

  private noteReplaced(key: string): void {
    this.note(key, { replaced: true, counted: 0, isCounter: false, endedAtZero: false });
  }

  private note(key: string, change: Change): void {
    if (this.changes.size < MAX_CHANGES || this.changes.has(key)) this.changes.set(key, change);
    else this.overflowed = true;
  }
}
