const names = new Map<string, string>();

/**
 * Marks a statement that is asked all the time: a connection parses and plans it once. To be called while modules load,
 * with a text that never varies.
 */
export function prepared(sql: string): string {
  if (!names.has(sql)) names.set(sql, `castellan_${names.size + 1}`);
  return sql;
}

/** The name under which connections keep a statement; undefined for one that nobody marked. */
export const preparedName = (sql: unknown): string | undefined =>
  typeof sql === 'string' ? names.get(sql) : undefined;
