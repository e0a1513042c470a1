import { Transactions } from '../database';
import { Believed } from './believed';
import { Invalidations } from './invalidations';

/** A change made elsewhere binds here within this time, so nothing may be believed from memory for longer. */
const BELIEVE_MS = 1_000;
const MAX_ENTRIES = 50_000;

export interface SharedStateOptions {
  readonly maxEntries?: number;
}

/**
 * State that every request asks for and any instance may change (sessions, grants, users, settings): read through this
 * process's memory, never believed for longer than a second, and dropped here with the commit that changes it.
 */
export class SharedState<T> {
  private readonly believed: Believed<T>;

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

  /** Callers share the value: it is read-only. */
  read(key: string, load: () => Promise<T | undefined>): Promise<T | undefined> {
    return this.believed.read(key, load);
  }

  /** To be called in the transaction that changes what the keys stand for. */
  forget(...keys: string[]): Promise<void> {
    return this.transactions.afterCommit(async () => {
      this.drop(keys);
      await this.invalidations.publish(this.name, keys);
    });
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
