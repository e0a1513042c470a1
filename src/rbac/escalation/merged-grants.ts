import { Grant } from '../permission';

/** All grants of both, by organization. */
export function mergedGrants(
  one: ReadonlyMap<string, readonly Grant[]>,
  other: ReadonlyMap<string, readonly Grant[]>,
): Map<string, readonly Grant[]> {
  const merged = new Map(one);
  for (const [id, grants] of other) merged.set(id, [...(merged.get(id) ?? []), ...grants]);
  return merged;
}
