import { performance } from 'node:perf_hooks';
import { GrowingLru } from './growing-lru';

export interface BelievedOptions {
  /** How long a value is believed, counted from the start of its load; asked at every read. 0 believes nothing. */
  readonly believeMs: () => number;
  readonly maxEntries: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

interface Remembered<T> {
  readonly value: T;
  readonly since: number;
}

interface Load<T> {
  readonly since: number;
  result: Promise<T | undefined>;
}

/**
 * A small read-through memory for state that must not be believed for long. What was asked after a `forget` never
 * comes from a load begun before it. Callers share the value: treat it as read-only.
 */
export class Believed<T> {
  private readonly values: GrowingLru<Remembered<T>>;
  /** The load a new caller may join and whose result may be kept; being dropped from here is what makes one outdated. */
  private readonly loads = new Map<string, Load<T>>();
  private readonly now: () => number;

  constructor(private readonly options: BelievedOptions) {
    this.values = new GrowingLru(options.maxEntries);
    this.now = options.now ?? (() => performance.now());
  }

  /** The believed value, or a fresh one, loaded once for parallel callers. `undefined` and failures are not kept. */
  async read(key: string, load: () => Promise<T | undefined>): Promise<T | undefined> {
    const known = this.peek(key);
    if (known !== undefined) return known;
    const running = this.loads.get(key);
    // A slow load may have read its value long ago: joining it is believing it.
    if (running && this.isBelievable(running.since)) return running.result;
    return this.begin(key, load);
  }

  /** The believed value, if there is one. */
  peek(key: string): T | undefined {
    const known = this.values.get(key);
    return known && this.isBelievable(known.since) ? known.value : undefined;
  }

  /** Keeps a value known to be current; a load that is under way no longer replaces it. */
  remember(key: string, value: T): void {
    this.loads.delete(key);
    this.values.set(key, { value, since: this.now() });
  }

  forget(key: string): void {
    this.loads.delete(key);
    this.values.delete(key);
  }

  forgetAll(): void {
    this.loads.clear();
    this.values.clear();
  }

  private isBelievable(since: number): boolean {
    return this.now() - since < this.options.believeMs();
  }

  private begin(key: string, load: () => Promise<T | undefined>): Promise<T | undefined> {
    const current: Load<T> = { since: this.now(), result: Promise.resolve(undefined) };
    this.loads.set(key, current);
    current.result = this.finish(key, current, load);
    return current.result;
  }

  private async finish(key: string, current: Load<T>, load: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      const value = await load();
      if (this.loads.get(key) === current) this.keep(key, value, current.since);
      return value;
    } finally {
      if (this.loads.get(key) === current) this.loads.delete(key);
    }
  }

  private keep(key: string, value: T | undefined, since: number): void {
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, { value, since });
  }
}
