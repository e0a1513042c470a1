import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { authPages } from '../../src/standalone/ui/auth-pages';

const web = join(process.cwd(), 'web/src');
const read = (file: string): string => readFileSync(join(web, file), 'utf8');
const matches = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, found = '']) => found);

/** Paths of the login pages, read from the source of their table. */
export const authPaths = (): string[] => matches(read('auth/pages.ts'), /^ {2}'(\/[^']*)':/gm);

/** The router's tables of pages by area, with the tables that they include. */
function tables(): [string, string][] {
  const parts = read('console/router.tsx').split(/^const (?=\w+: RouteObject\[\])/m);
  const named = new Map(
    parts.map((part) => [/^(\w+): RouteObject/.exec(part)?.[1] ?? '', part.split(/^];/m)[0] ?? '']),
  );
  const whole = (name: string): string =>
    (named.get(name) ?? '').replace(/^ {2}\.\.\.(\w+),$/gm, (_, included: string) => whole(included));
  return ['account', 'admin'].map((area) => [area, whole(area)]);
}

/** Paths of the console pages, read from the source of the router. `:id` is a path parameter. */
export function consolePaths(): string[] {
  return tables().flatMap(([area, table]) => {
    const inner = matches(table, /\bpath: '([^']+)'/g).map((path) => `/${area}/${path}`);
    return /\bindex: true\b/.test(table) ? [`/${area}`, ...inner] : inner;
  });
}

/** How many pages the router loads on demand. */
export const lazyPages = (): number =>
  tables().reduce((sum, [, table]) => sum + matches(table, /\b(lazy): async\b/g).length, 0);

/** Paths of the account pages, read from the source of their table. */
export const accountPaths = (): string[] => matches(read('account/pages.ts'), /^ {2}'(\/[^']*)':/gm);

/** Paths of the login pages that the service serves. */
export const servedAuthPaths = (): string[] => authPages.map((path) => `/${path}`);

/** All paths of the menus. Each must be among the account pages or the console pages, or the parser above is out of date. */
export const offeredPaths = (): string[] => matches(read('session/pages.ts'), /\bpath: '([^']+)'/g);
