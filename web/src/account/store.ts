import { useSyncExternalStore } from 'react';

/** A value outside of the components, which they can watch. */
export class Store<T> {
  private readonly watchers = new Set<() => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set(value: T): void {
    this.current = value;
    for (const notify of this.watchers) notify();
  }

  readonly watch = (notify: () => void): (() => void) => {
    this.watchers.add(notify);
    return () => this.watchers.delete(notify);
  };
}

export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.watch, () => store.value);
