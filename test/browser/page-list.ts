import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const web = join(process.cwd(), 'web/src');
const read = (file: string): string => readFileSync(join(web, file), 'utf8');
const matches = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, found = '']) => found);

/** The pages before the login, from the table that serves them. */
export const authPaths = (): string[] => matches(read('auth/pages.ts'), /^ {2}'(\/[^']*)':/gm);

/** The pages behind the login, from the router; `:id` stands for the first entry of the list above it. */
export function consolePaths(): string[] {
  const tables = read('console/router.tsx').split(/^const (?=\w+: RouteObject\[\])/m);
  return tables.flatMap((table) => {
    const area = /^(\w+): RouteObject/.exec(table)?.[1];
    if (area === undefined) return [];
    const inner = matches(table.split(/^];/m)[0] ?? '', /\bpath: '([^']+)'/g).map((path) => `/${area}/${path}`);
    return /\bindex: true\b/.test(table) ? [`/${area}`, ...inner] : inner;
  });
}

/** Every path of the navigation: each has to be among the pages, or the table is not read as it is written. */
export const offeredPaths = (): string[] => matches(read('console/pages.ts'), /\bpath: '([^']+)'/g);
