import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const web = join(process.cwd(), 'web/src');
const read = (file: string): string => readFileSync(join(web, file), 'utf8');
const matches = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, found = '']) => found);

/** Paths of the login pages, read from the source of their table. */
export const authPaths = (): string[] => matches(read('auth/pages.ts'), /^ {2}'(\/[^']*)':/gm);

/** Paths of the console pages, read from the source of the router. `:id` is a path parameter. */
export function consolePaths(): string[] {
  const tables = read('console/router.tsx').split(/^const (?=\w+: RouteObject\[\])/m);
  return tables.flatMap((table) => {
    const area = /^(\w+): RouteObject/.exec(table)?.[1];
    if (area === undefined) return [];
    const inner = matches(table.split(/^];/m)[0] ?? '', /\bpath: '([^']+)'/g).map((path) => `/${area}/${path}`);
    return /\bindex: true\b/.test(table) ? [`/${area}`, ...inner] : inner;
  });
}

/** How many pages the router loads on demand. */
export const lazyPages = (): number => matches(read('console/router.tsx'), /\b(lazy): async\b/g).length;

/** Paths of the login pages, read from the source of the controller that serves them. */
export function servedAuthPaths(): string[] {
  const source = readFileSync(join(process.cwd(), 'src/standalone/ui/ui.controller.ts'), 'utf8');
  return matches(/@Get\(\[('login'[^\]]*)\]\)/.exec(source)?.[1] ?? '', /'([^']+)'/g).map((path) => `/${path}`);
}

/** All paths of the menu. Each must be among the console pages, or the parser above is out of date. */
export const offeredPaths = (): string[] => matches(read('console/pages.ts'), /\bpath: '([^']+)'/g);
