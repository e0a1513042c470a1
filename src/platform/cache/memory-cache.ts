import { LRUCache } from 'lru-cache';
import { performance } from 'node:perf_hooks';
import { checkedCounterTtl, checkedStep, checkedVersion, lifetimeMs, toJson } from './cache-rules';
import { KeyValueCache } from './key-value-cache';

interface Entry {
  readonly json: string;
  readonly expiresAt: number;
  readonly version?: number;
}

/** What lies under a key. */
export interface MemoryEntry {
  readonly value: unknown;
  readonly version?: number;
  readonly ttlSeconds: number;
}

export interface MemoryCacheOptions {
  /** 100,000 unless told; the least recently used go first. */
  readonly maxEntries?: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** One process's cache. No method awaits between reading and writing, which is what makes each atomic. */
export class MemoryCache extends KeyValueCache {
  private readonly entries: LRUCache<string, Entry>;
  private readonly now: () => number;

  constructor(options: MemoryCacheOptions = {}) {
    super();
    this.entries = new LRUCache({ max: options.maxEntries ?? 100_000 });
    this.now = options.now ?? (() => performance.now());
  }

  async get<T>(key: string): Promise<T | undefined> {
    return this.read(key) as T | undefined;
  }

  async set(key: string, value: unknown, ttlSeconds: number): Promise<void> {
    this.store(key, toJson(value), ttlSeconds);
  }

  async delete(...keys: string[]): Promise<void> {
    for (const key of keys) this.entries.delete(key);
  }

  async setIfNewer(key: string, value: unknown, version: number, ttlSeconds: number): Promise<boolean> {
    checkedVersion(version);
    const there = this.live(key)?.version;
    if (there !== undefined && there > version) return false;
    this.store(key, toJson(value), ttlSeconds, version);
    return true;
  }

  async increment(key: string, ttlSeconds: number, by = 1): Promise<number> {
    checkedStep(by);
    const lifetime = checkedCounterTtl(ttlSeconds);
    const entry = this.live(key);
    if (!entry && by <= 0) return 0;
    const sum = Math.max(0, countOf(key, entry) + by);
    const expiresAt = entry?.expiresAt ?? this.now() + lifetime;
    this.entries.set(key, { json: String(sum), expiresAt });
    return sum;
  }

  async ttl(key: string): Promise<number> {
    const entry = this.live(key);
    return entry ? Math.ceil((entry.expiresAt - this.now()) / 1_000) : 0;
  }

  async take<T>(key: string): Promise<T | undefined> {
    const value = this.read(key) as T | undefined;
    this.entries.delete(key);
    return value;
  }

  inspect(key: string): MemoryEntry | undefined {
    const entry = this.live(key);
    if (!entry) return undefined;
    const { json, version, expiresAt } = entry;
    const ttlSeconds = (expiresAt - this.now()) / 1_000;
    return { value: JSON.parse(json) as unknown, ttlSeconds, ...(version !== undefined && { version }) };
  }

  /** Takes over a counter's sum from elsewhere; one that is known keeps its time. */
  adoptCounter(key: string, sum: number, ttlSeconds: number): void {
    const expiresAt = this.live(key)?.expiresAt ?? this.now() + checkedCounterTtl(ttlSeconds);
    if (sum > 0) this.entries.set(key, { json: String(sum), expiresAt });
    else this.entries.delete(key);
  }

  private read(key: string): unknown {
    const entry = this.live(key);
    return entry && JSON.parse(entry.json);
  }

  private live(key: string): Entry | undefined {
    const entry = this.entries.get(key);
    if (!entry || entry.expiresAt > this.now()) return entry;
    this.entries.delete(key);
    return undefined;
  }

  private store(key: string, json: string, ttlSeconds: number, version?: number): void {
    const lifetime = lifetimeMs(ttlSeconds);
    if (lifetime <= 0) this.entries.delete(key);
    else this.entries.set(key, { json, version, expiresAt: this.now() + lifetime });
  }
}

function countOf(key: string, entry: Entry | undefined): number {
  if (!entry) return 0;
  const count: unknown = JSON.parse(entry.json);
  if (typeof count !== 'number' || !Number.isSafeInteger(count)) throw new TypeError(`${key} holds no counter`);
  return count;
}
