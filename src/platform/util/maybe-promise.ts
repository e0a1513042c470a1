/**
 * A value that a cache has, or a promise for one that it must load: awaiting is expensive on the path of every request.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Checks the shape: a promise may come from another realm, and one mistaken for a value would count as true. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
}

/** Calls `next` with the value, at once or when its promise is fulfilled. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isPromise(value) ? value.then(next) : next(value);
}

type Settled<T extends readonly unknown[]> = { -readonly [K in keyof T]: Awaited<T[K]> };

/** Returns all values, loaded in parallel. */
export function allOf<const T extends readonly unknown[]>(values: T): MaybePromise<Settled<T>> {
  return values.some(isPromise) ? Promise.all(values) : (values as unknown as Settled<T>);
}

/** Passes an error of `work`, thrown or rejected, to `recover`, and returns its result instead. */
export function recoverFrom<T>(
  work: () => MaybePromise<T>,
  recover: (error: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  try {
    const value = work();
    return isPromise(value) ? value.catch(recover) : value;
  } catch (error) {
    return recover(error);
  }
}
