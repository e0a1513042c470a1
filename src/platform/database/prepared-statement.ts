const names = new Map<string, string>();

/**
 * Marks a frequent statement: each connection parses and plans it once. Call it while modules load, with a constant
 * text.
 */
export function preparedStatement(sql: string): string {
  if (!names.has(sql)) names.set(sql, `castellan_${names.size + 1}`);
  return sql;
}

/** Name of the prepared statement; undefined if the text is not marked. */
export const statementName = (sql: unknown): string | undefined =>
  typeof sql === 'string' ? names.get(sql) : undefined;
