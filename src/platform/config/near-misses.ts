/** Shorter names resemble too many unrelated variables. */
const MIN_LENGTH = 8;

export interface NearMiss {
  readonly found: string;
  readonly known: string;
}

/** Finds set variables that the service does not know but that are one typo away from a known one. */
export function nearMisses(set: readonly string[], known: ReadonlySet<string>): NearMiss[] {
  const candidates = [...known].filter((name) => name.length >= MIN_LENGTH);
  return set.flatMap((found) => {
    if (known.has(found)) return [];
    const meant = candidates.find((name) => isOneTypoAway(found.toUpperCase(), name));
    return meant === undefined ? [] : [{ found, known: meant }];
  });
}

/** Whether the names differ by one missing, added or replaced letter, by two swapped neighbours, or only by case. */
function isOneTypoAway(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const [a, b] = [one.slice(start), other.slice(start)];
  const isSwapped = a.length > 1 && a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return isSwapped || a.slice(1) === b.slice(1) || a === b.slice(1) || a.slice(1) === b;
}
