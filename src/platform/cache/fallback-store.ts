import { CounterStep } from './counter-store';
import { KeyValueCache } from './key-value-cache';
import { MemoryCache, MemoryCacheOptions } from './memory-cache';

const MAX_CHANGES = 100_000;
const UNCHANGED_COUNTER: Change = { replaced: false, counted: 0, isCounter: true, endedAtZero: false };

/** How a key changed while the store was unreachable. */
export interface Change {
  /** Whether the key was set or deleted, which voids the store's value. */
  readonly replaced: boolean;
  /** Sum of the increments since the replacement, or since the loss. */
  readonly counted: number;
  readonly isCounter: boolean;
  /** Whether the counter was decremented to 0 rather than expired: the count still applies to the store's counter. */
  readonly endedAtZero: boolean;
}

/**
 * Memory that replaces a store while it is unreachable. It records which keys change, so that the changes can be
 * replayed when the store is back. Of the time before the loss it has only the counters that this process raised.
 */
export class FallbackStore extends KeyValueCache {
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
    this.recordReplacement(key);
  }

  async delete(...keys: string[]): Promise<void> {
    await this.memory.delete(...keys);
    for (const key of keys) this.recordReplacement(key);
  }

  async setIfNewer(key: string, value: unknown, version: number, ttlSeconds: number): Promise<boolean> {
    const stored = await this.memory.setIfNewer(key, value, version, ttlSeconds);
    if (stored) this.recordReplacement(key);
    return stored;
  }

  async increment(key: string, ttlSeconds: number, by = 1): Promise<number> {
    const sum = await this.memory.increment(key, ttlSeconds, by);
    this.recordCount(key, by, sum);
    return sum;
  }

  override async count(...steps: readonly CounterStep[]): Promise<number[]> {
    const results = await this.memory.count(...steps);
    steps.forEach((step, place) => {
      if ('add' in step) this.recordCount(step.to, step.add, results[place] ?? 0);
      else if ('drop' in step) this.recordReplacement(step.drop);
    });
    return results;
  }

  ttl(key: string): Promise<number> {
    return this.memory.ttl(key);
  }

  get changeCount(): number {
    return this.changes.size;
  }

  /** Whether more keys changed than can be recorded. */
  get hasLostChanges(): boolean {
    return this.overflowed;
  }

  /** Call once the store's values are cleared: its counters remain, and every counter here is replayed. */
  replayAllCounters(): void {
    this.overflowed = false;
    for (const key of this.memory.counterKeys()) {
      if (!this.changes.has(key)) this.changes.set(key, UNCHANGED_COUNTER);
    }
  }

  /** Removes and returns the changes to replay, oldest first. */
  takeChanges(max: number): Map<string, Change> {
    const taken = new Map<string, Change>();
    for (const [key, change] of this.changes) {
      if (taken.size === max) break;
      taken.set(key, change);
    }
    for (const key of taken.keys()) this.changes.delete(key);
    return taken;
  }

  /** Records changes again whose replay failed. */
  putBack(failed: ReadonlyMap<string, Change>): void {
    for (const [key, change] of failed) {
      const since = this.changes.get(key);
      if (since?.replaced) continue;
      const counted = change.counted + (since?.counted ?? 0);
      const { endedAtZero } = since ?? change;
      this.record(key, { ...change, counted, isCounter: change.isCounter || since !== undefined, endedAtZero });
    }
  }

  private recordCount(key: string, by: number, sum: number): void {
    const before = this.changes.get(key);
    // A sum that equals this increment starts a new window, unless the counter was at 0; earlier counts are over.
    const isNew = sum === by && !before?.endedAtZero;
    const counted = isNew ? by : (before?.counted ?? 0) + by;
    this.record(key, { replaced: before?.replaced ?? false, counted, isCounter: true, endedAtZero: sum === 0 });
  }

  private recordReplacement(key: string): void {
    this.record(key, { replaced: true, counted: 0, isCounter: false, endedAtZero: false });
  }

  private record(key: string, change: Change): void {
    if (this.changes.size < MAX_CHANGES || this.changes.has(key)) this.changes.set(key, change);
    else this.overflowed = true;
  }
}
