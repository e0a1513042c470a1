/** Compares texts for `sort`. Unlike localeCompare, the result is the same on every machine. */
export function compareCodeUnits(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
