/** Receives invalidations from other instances. */
export interface InvalidationListener {
  invalidate(keys: readonly string[]): void;
  /** Messages may have been missed. */
  invalidateAll(): void;
}

/** Notifies other instances which entries to reload. Best effort: correctness must not depend on it. */
export abstract class Invalidations {
  /**
   * Without keys: invalidates the whole topic. Never throws and never waits long, because the change is already
   * committed.
   */
  abstract publish(topic: string, keys?: readonly string[]): Promise<void>;

  /** The listener receives the changes of other instances only. */
  abstract subscribe(topic: string, listener: InvalidationListener): void;

  /** Calls the listener with the age in seconds of each change that arrives from another instance. */
  abstract onReceived(listener: (seconds: number) => void): void;

  abstract close(): Promise<void>;
}

/** For a single instance, without Redis. */
export class NoInvalidations extends Invalidations {
  async publish(): Promise<void> {
    // There is no other instance.
  }

  subscribe(): void {
    // There is no other instance.
  }

  onReceived(): void {
    // There is no other instance.
  }

  async close(): Promise<void> {
    // There is nothing to close.
  }
}
