/** Argument checks of `KeyValueCache`, shared by all stores. Throws TypeError for a value that is not JSON. */

export function toJson(value: unknown): string {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) throw new TypeError('A cache value must be JSON');
  return json;
}

/** Whole milliseconds, rounded up. */
export function lifetimeMs(ttlSeconds: number): number {
  if (!Number.isFinite(ttlSeconds)) throw new RangeError('A TTL is a finite number of seconds');
  return Math.ceil(ttlSeconds * 1_000);
}

/** Returns the TTL of a counter in whole milliseconds. */
export function checkedCounterTtl(ttlSeconds: number): number {
  const lifetime = lifetimeMs(ttlSeconds);
  // A counter that expires at once would never limit anything.
  if (lifetime <= 0) throw new RangeError('A counter needs a TTL above 0');
  return lifetime;
}

export function checkedStep(by: number): number {
  if (!Number.isSafeInteger(by)) throw new RangeError('A counter is raised by whole numbers');
  return by;
}

export function checkedVersion(version: number): number {
  if (!Number.isSafeInteger(version)) throw new RangeError('A version is a whole number');
  return version;
}
