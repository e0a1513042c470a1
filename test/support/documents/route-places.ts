import { Dirent, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ApiDocument {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly components?: unknown;
}

const testFolder = join(__dirname, '../..');
/** The table names every route without testing what it does. */
const isTest = ({ name }: Dirent): boolean => name.endsWith('.ts') && name !== 'access-table.ts';

/** The sources of tests that call routes, and of what they use. */
export function testSources(): string[] {
  return ['e2e', 'integration', 'support', 'browser'].flatMap((folder) =>
    readdirSync(join(testFolder, folder), { recursive: true, withFileTypes: true })
      .filter(isTest)
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')),
  );
}

/** The last two segments of an address. Tests may compose what is before. */
const endOf = (address: string): string[] => address.split('/').slice(1).slice(-2);

/** A parameter of a route takes any segment. */
const keyOf = (route: string): string =>
  endOf(route)
    .map((segment) => (segment.startsWith('{') ? '*' : segment))
    .join('/');

const keysOf = ([first = '', second]: readonly string[]): string[] =>
  second === undefined ? [first, `*/${first}`] : [`${first}/${second}`, `*/${second}`, `${first}/*`, '*/*'];

/** The routes, such as `GET /api/user/{id}`, that no test names. */
export function untestedRoutes(routes: readonly string[], sources: readonly string[]): string[] {
  const named = new Set<string>();
  for (const source of sources) {
    for (const [address] of source.matchAll(/\/[^'"`?\s]+/g)) for (const key of keysOf(endOf(address))) named.add(key);
  }
  return routes.filter((route) => !named.has(keyOf(route)));
}

const partsOf = ({ paths, components = {} }: ApiDocument): Map<string, string> => {
  const operations = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs as object).map(([verb, operation]): [string, unknown] => [
      `${verb.toUpperCase()} ${path}`,
      operation,
    ]),
  );
  const kinds = Object.values(components as Record<string, object>).flatMap((kind) => Object.entries(kind));
  return new Map([...operations, ...kinds].map(([name, part]) => [name, JSON.stringify(part)]));
};

/** A sentence for each operation and component in which the kept document is not the served one. */
export function documentProblems(served: ApiDocument, kept: ApiDocument): string[] {
  const [now, before] = [partsOf(served), partsOf(kept)];
  const names = [...new Set([...now.keys(), ...before.keys()])].filter((name) => now.get(name) !== before.get(name));
  return names.map((name) => {
    if (!before.has(name)) return `${name} is not in docs/openapi.json`;
    return now.has(name)
      ? `${name} is described otherwise in docs/openapi.json`
      : `${name} is only in docs/openapi.json`;
  });
}
