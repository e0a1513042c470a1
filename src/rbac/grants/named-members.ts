/** Limits the ids per side in an audit event, and the violations in a response. */
export const MAX_NAMED_MEMBERS = 100;

/** All ids, in parts that one audit event each may name. */
export const namedParts = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / MAX_NAMED_MEMBERS) }, (_, part) =>
    ids.slice(part * MAX_NAMED_MEMBERS, (part + 1) * MAX_NAMED_MEMBERS),
  );
