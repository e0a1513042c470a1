/** The source of the access table with the rows of new routes at its end, and without those of routes that are gone. */
export function withRows(source: string, rows: readonly string[], gone: readonly string[]): string {
  const kept = source.split('\n').filter((line) => !gone.some((route) => line.startsWith(`  '${route}': [`)));
  const end = kept.lastIndexOf('};');
  if (end < 0) throw new Error('The access table does not end with a line "};"');
  return [...kept.slice(0, end), ...rows.map((row) => `  ${row}`), ...kept.slice(end)].join('\n');
}
