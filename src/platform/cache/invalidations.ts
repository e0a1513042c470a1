/** Receives the invalidations of other instances. */
export interface InvalidationListener {
  invalidate(keys: readonly string[]): void;
  /** Messages may have been missed. */
  invalidateAll(): void;
}

/** Tells other instances which entries to load again. Best effort: correctness must not depend on it. */
export abstract class Invalidations {
  /** Without keys: the whole topic. Never throws and never waits long, since the change is already committed. */
  abstract publish(topic: string, keys?: readonly string[]): Promise<void>;

  /** The listener receives the changes of other instances only. */
  abstract subscribe(topic: string, listener: InvalidationListener): void;

  /** The listener is called with the age of each change of another instance, in seconds, when it is heard here. */
  abstract onHeard(listener: (seconds: number) => void): void;

  abstract close(): Promise<void>;
}

/** There is no other instance to notify. */
export class NoInvalidations extends Invalidations {
  async publish(): Promise<void> {
    // There is no other instance to notify.
  }

  subscribe(): void {
    // There is nothing to hear.
  }

  onHeard(): void {
    // There is nothing to hear.
  }

  async close(): Promise<void> {
    // There is nothing to close.
  }
}
