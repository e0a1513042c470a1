/** Told what other instances have changed. */
export interface InvalidationListener {
  forget(keys: readonly string[]): void;
  /** Something may have been missed. */
  forgetAll(): void;
}

/** Tells the other instances what to forget. It is quick, not certain: nobody may rely on being told. */
export abstract class Invalidations {
  /** Without keys: everything of the topic. Never throws and never waits long: the act it tells of is done. */
  abstract publish(topic: string, keys?: readonly string[]): Promise<void>;

  /** The listener hears of the others' changes, not of this instance's own. */
  abstract subscribe(topic: string, listener: InvalidationListener): void;

  abstract close(): Promise<void>;
}

/** For one instance, or for several that learn of changes by not believing anything for long. */
export class NoInvalidations extends Invalidations {
  async publish(): Promise<void> {
    // There is nobody to tell.
  }

  subscribe(): void {
    // There is nothing to hear.
  }

  async close(): Promise<void> {
    // There is nothing to close.
  }
}
