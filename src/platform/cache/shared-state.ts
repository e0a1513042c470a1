import { Transactions } from '../database';
import { Believed } from './believed';

/** A change made elsewhere binds here within this time, so nothing may be believed from memory for longer. */
const BELIEVE_MS = 1_000;
const MAX_ENTRIES = 50_000;

/**
 * State that every request asks for and any instance may change (sessions, grants, users, settings): read through this
 * process's memory, never believed for longer than a second, and dropped here with the commit that changes it.
 */
export class SharedState<T> {
  private readonly believed: Believed<T>;

  constructor(
    private readonly transactions: Transactions,
    options: { maxEntries?: number } = {},
  ) {
    this.believed = new Believed<T>({ believeMs: () => BELIEVE_MS, maxEntries: options.maxEntries ?? MAX_ENTRIES });
  }

  /** Callers share the value: it is read-only. */
  read(key: string, load: () => Promise<T | undefined>): Promise<T | undefined> {
    return this.believed.read(key, load);
  }

  /** To be called in the transaction that changes what the keys stand for. */
  forget(...keys: string[]): Promise<void> {
    return this.transactions.afterCommit(() => {
      for (const key of keys) this.believed.forget(key);
    });
  }
}
