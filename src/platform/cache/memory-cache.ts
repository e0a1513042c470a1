import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import { checkedCounterTtl, checkedStep, checkedVersion, lifetimeMs, toJson } from './cache-rules';
import { CounterStep } from './counter-store';
import { Counters } from './counters';
import { KeyValueCache } from './key-value-cache';
import { createLru } from './lru';

interface Entry {
  readonly json: string;
  readonly expiresAt: number;
  readonly version?: number;
}

/** The content of a key. */
export interface MemoryEntry {
  readonly value: unknown;
  readonly version?: number;
  readonly ttlSeconds: number;
}

export interface MemoryCacheOptions {
  /** Default: 100,000 values; the least recently used are evicted first. */
  readonly maxEntries?: number;
  /** Default: 200,000 counters; none is evicted before it expires. */
  readonly maxCounters?: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** The cache of one process. No method awaits between reading and writing, which makes each one atomic. */
export class MemoryCache extends KeyValueCache {
  private readonly entries: LRUCache<string, Entry>;
  private readonly counters: Counters;
  private readonly now: () => number;

  constructor(options: MemoryCacheOptions = {}) {
    super();
    this.entries = createLru(options.maxEntries ?? 100_000);
    this.now = options.now ?? (() => performance.now());
    this.counters = new Counters(options.maxCounters ?? 200_000, this.now);
  }

  async get<T>(key: string): Promise<T | undefined> {
    return this.read(key) as T | undefined;
  }

  async set(key: string, value: unknown, ttlSeconds: number): Promise<void> {
    this.store(key, toJson(value), ttlSeconds);
  }

  async delete(...keys: string[]): Promise<void> {
    for (const key of keys) this.remove(key);
  }

  async setIfNewer(key: string, value: unknown, version: number, ttlSeconds: number): Promise<boolean> {
    checkedVersion(version);
    const there = this.live(key)?.version;
    if (there !== undefined && there > version) return false;
    this.store(key, toJson(value), ttlSeconds, version);
    return true;
  }

  async increment(key: string, ttlSeconds: number, by = 1): Promise<number> {
    return this.add(key, ttlSeconds, by);
  }

  override async count(...steps: readonly CounterStep[]): Promise<number[]> {
    return steps.map((step) => {
      if ('add' in step) return this.add(step.to, step.ttlSeconds, step.add);
      if ('read' in step) return this.counted(step.read);
      if ('ttlOf' in step) return this.secondsLeft(step.ttlOf);
      this.remove(step.drop);
      return 0;
    });
  }

  async ttl(key: string): Promise<number> {
    return this.secondsLeft(key);
  }

  inspect(key: string): MemoryEntry | undefined {
    const counter = this.counters.find(key);
    if (counter) return { value: counter.sum, ttlSeconds: this.secondsUntil(counter.expiresAt) };
    const entry = this.live(key);
    if (!entry) return undefined;
    const { json, version, expiresAt } = entry;
    const value: unknown = JSON.parse(json);
    return { value, ttlSeconds: this.secondsUntil(expiresAt), ...(version !== undefined && { version }) };
  }

  /** Takes over a counter's sum from another store; a known counter keeps its expiry. */
  adoptCounter(key: string, sum: number, ttlSeconds: number): void {
    this.entries.delete(key);
    this.counters.adopt(key, sum, checkedCounterTtl(ttlSeconds));
  }

  hasCounter(key: string): boolean {
    return this.counters.find(key) !== undefined;
  }

  /** Clears values and keeps counters. */
  clearValues(): void {
    this.entries.clear();
  }

  counterKeys(): Iterable<string> {
    return this.counters.keys();
  }

  private add(key: string, ttlSeconds: number, by: number): number {
    checkedStep(by);
    const lifetime = checkedCounterTtl(ttlSeconds);
    this.rejectValue(key);
    return this.counters.add(key, by, lifetime);
  }

  private counted(key: string): number {
    this.rejectValue(key);
    return this.counters.find(key)?.sum ?? 0;
  }

  private rejectValue(key: string): void {
    if (this.live(key)) throw new TypeError(`${key} holds no counter`);
  }

  private secondsLeft(key: string): number {
    const expiresAt = (this.counters.find(key) ?? this.live(key))?.expiresAt;
    return expiresAt === undefined ? 0 : Math.ceil((expiresAt - this.now()) / 1_000);
  }

  private read(key: string): unknown {
    const counter = this.counters.find(key);
    if (counter) return counter.sum;
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
    this.remove(key);
    if (lifetime > 0) this.entries.set(key, { json, version, expiresAt: this.now() + lifetime });
  }

  private remove(key: string): void {
    this.entries.delete(key);
    this.counters.delete(key);
  }

  private secondsUntil(expiresAt: number): number {
    return (expiresAt - this.now()) / 1_000;
  }
}
