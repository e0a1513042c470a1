import { Transactions } from '../database';
import { Believed } from './believed';
import { Invalidations } from './invalidations';

/** A change made elsewhere binds here within this time, so nothing may be believed from memory for longer. */
const BELIEVE_MS = 1_000;
const MAX_ENTRIES = 50_000;
const EVERYTHING = 'everything';

export interface SharedStateOptions {
  readonly maxEntries?: number;
}

/**
 * State that every request asks for and any instance may change (sessions, grants, users, settings): read through this
 * process's memory, never believed for longer than a second, and dropped here with the commit that changes it.
 *
 * Nothing of it lies in the shared cache, so nothing has to be marked before a commit in case the process dies before it
 * could tell. A value is believed from the start of its load: one read before a commit was asked for before it, and is
 * gone a second after the commit at the latest, told or not; one asked for after the commit is the new one. What is told
 * to other instances only shortens that second.
 */
export class SharedState<T> {
  private readonly believed: Believed<T>;
  /** The keys that running transactions have changed, each known by its manager. */
  private readonly changed = new WeakMap<object, ReadonlySet<string> | typeof EVERYTHING>();
  /** What running transactions are loading: reads begun together ask their one connection once. */
  private readonly loading = new WeakMap<object, Map<string, Promise<T | undefined>>>();

  constructor(
    private readonly transactions: Transactions,
    private readonly invalidations: Invalidations,
    private readonly name: string,
    { maxEntries = MAX_ENTRIES }: SharedStateOptions,
  ) {
    this.believed = new Believed<T>({ believeMs: () => BELIEVE_MS, maxEntries });
    invalidations.subscribe(name, {
      forget: (keys) => {
        this.drop(keys);
      },
      forgetAll: () => {
        this.believed.forgetAll();
      },
    });
  }

  /** The believed value, without a wait, which is dear where every request has many; undefined: it has to be read. */
  peek(key: string): T | undefined {
    return this.isChangedHere(key) ? undefined : this.believed.peek(key);
  }

  /** Callers share the value: it is read-only. */
  async read(key: string, load: () => Promise<T | undefined>): Promise<T | undefined> {
    if (this.transactions.isOpen) return this.readWithin(key, load);
    return this.believed.read(key, load);
  }

  /** To be called in the transaction that changes what the keys stand for. */
  async forget(keys: string | readonly string[]): Promise<void> {
    const named = typeof keys === 'string' ? [keys] : keys;
    if (this.transactions.isOpen) this.markChanged(named);
    await this.transactions.afterCommit(async () => {
      this.drop(named);
      await this.invalidations.publish(this.name, named);
    });
  }

  /** As `forget`, for a change that touches no one can say how many. */
  async forgetAll(): Promise<void> {
    if (this.transactions.isOpen) {
      this.changed.set(this.transactions.manager, EVERYTHING);
      this.loading.delete(this.transactions.manager);
    }
    await this.transactions.afterCommit(async () => {
      this.believed.forgetAll();
      await this.invalidations.publish(this.name);
    });
  }

  /** Drops what this instance remembers and tells nobody: for a doubt, not for a change. */
  distrust(key: string): void {
    this.drop([key]);
  }

  /**
   * A load in a transaction may see what is never committed, and one outside may be waiting for the transaction's own
   * connection: neither is shared. What the transaction itself has changed is not believed, either.
   */
  private async readWithin(key: string, load: () => Promise<T | undefined>): Promise<T | undefined> {
    return this.peek(key) ?? this.loadWithin(key, load);
  }

  private isChangedHere(key: string): boolean {
    if (!this.transactions.isOpen) return false;
    const changed = this.changed.get(this.transactions.manager);
    return changed === EVERYTHING || (changed?.has(key) ?? false);
  }

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

  private drop(keys: readonly string[]): void {
    for (const key of keys) this.believed.forget(key);
  }
}

/** Makes the shared states of the features; each has a name of its own, by which instances tell each other of changes. */
export class SharedStates {
  private readonly names = new Set<string>();

  constructor(
    private readonly transactions: Transactions,
    private readonly invalidations: Invalidations,
  ) {}

  create<T>(name: string, options: SharedStateOptions = {}): SharedState<T> {
    if (this.names.has(name)) throw new Error(`There are two shared states named ${name}`);
    this.names.add(name);
    return new SharedState<T>(this.transactions, this.invalidations, name, options);
  }
}
