/** The source of the access table with the rows of new routes at its end, and without those of routes that are gone. */
export function withRows(source: string, rows: readonly string[], gone: readonly string[]): string {
  const kept = source.split('\n').filter((line) => !gone.some((route) => line.startsWith(`  '${route}': [`)));
  const end = kept.lastIndexOf('};');
  if (end < 0) throw new Error('The access table does not end with a line "};"');
  return [...kept.slice(0, end), ...rows.map((row) => `  ${row}`), ...kept.slice(end)].join('\n');
}

/** The rows that new routes lack, with the statuses that they return, and the routes of the table that are gone. */
export async function tableProblems(
  registered: readonly string[],
  listed: readonly string[],
  statusesOf: (route: string) => Promise<readonly number[]>,
): Promise<{ missing: string[]; gone: string[] }> {
  const missing = [];
  for (const route of registered.filter((name) => !listed.includes(name))) {
    missing.push(`'${route}': [${(await statusesOf(route)).join(', ')}],`);
  }
  return { missing, gone: listed.filter((route) => !registered.includes(route)) };
}
