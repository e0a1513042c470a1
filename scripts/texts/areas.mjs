import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { nodesOf } from './sources.mjs';

const CONSOLE = 'web/src/console';
const ROUTER = `${CONSOLE}/router.tsx`;

/** The section of the texts that all pages load. */
export const FRAME = 'console';

const isDynamicImport = (node) => ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;

/** The module that an import loads at run time. Undefined for types. */
function importedBy(node) {
  if (isDynamicImport(node)) return node.arguments[0].text;
  if (ts.isImportDeclaration(node)) return node.importClause?.isTypeOnly ? undefined : node.moduleSpecifier.text;
  return ts.isExportDeclaration(node) && !node.isTypeOnly ? node.moduleSpecifier?.text : undefined;
}

/** The source file of a relative import, if it is among the files. */
function resolved(from, specifier, files) {
  const path = posix.join(posix.dirname(from), specifier);
  return ['.ts', '.tsx'].map((extension) => path + extension).find((file) => files.has(file));
}

const importsOf = (source, files) =>
  [...nodesOf(source)]
    .filter((node) => source.fileName !== ROUTER || !isDynamicImport(node))
    .map(importedBy)
    .filter((specifier) => specifier?.startsWith('.'))
    .flatMap((specifier) => resolved(source.fileName, specifier, files) ?? []);

/** The files that a file needs at run time, with itself. */
function reachOf(start, imports) {
  const seen = new Set([start]);
  for (const file of seen) for (const next of imports.get(file) ?? []) seen.add(next);
  return seen;
}

const memberOf = (object, name) =>
  object.properties.find((member) => ts.isPropertyAssignment(member) && member.name.getText() === name)?.initializer;

/** The path of a route: its own below those of the objects around it, and below the name of its table. */
function pathOf(node) {
  if (ts.isSourceFile(node)) return '';
  if (ts.isVariableDeclaration(node)) return `/${node.name.getText()}`;
  const path = ts.isObjectLiteralExpression(node) ? memberOf(node, 'path') : undefined;
  return pathOf(node.parent) + (path ? `/${path.text}` : '');
}

/** The pages in the router: source file and path. */
function routesOf(router, files) {
  const routes = [...nodesOf(router)].filter((node) => ts.isObjectLiteralExpression(node) && memberOf(node, 'lazy'));
  return routes.flatMap((route) =>
    [...nodesOf(memberOf(route, 'lazy'))]
      .filter(isDynamicImport)
      .flatMap((node) => resolved(ROUTER, importedBy(node), files) ?? [])
      .map((file) => ({ file, path: pathOf(route) })),
  );
}

/** `areaOf` as the pages use it. */
async function readRule(root) {
  const source = readFileSync(join(root, CONSOLE, 'text-areas.ts'), 'utf8');
  const code = ts.transpile(source, { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 });
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)).areaOf;
}

/**
 * Reads from the sources which area's texts each page of the console loads.
 *
 * @returns `pages`: the sections of a page's source file. `frame`: the source files that need no page. `areas`: section →
 *   source files that its pages need.
 */
export async function readAreas(root, sources) {
  const files = new Map(sources.map((source) => [source.fileName, source]));
  const areaOf = await readRule(root);
  const imports = new Map(sources.map((source) => [source.fileName, importsOf(source, files)]));
  const pages = new Map();
  const areas = new Map();
  for (const { file, path } of routesOf(files.get(ROUTER), files)) {
    const section = `${FRAME}_${areaOf(path)}`;
    pages.set(file, [...new Set([...(pages.get(file) ?? []), section])]);
    areas.set(section, new Set([...(areas.get(section) ?? []), ...reachOf(file, imports)]));
  }
  const ofPages = new Set([...areas.values()].flatMap((reached) => [...reached]));
  const fromStart = reachOf(`${CONSOLE}/main.tsx`, imports);
  const frame = new Set([...files.keys()].filter((file) => fromStart.has(file) || !ofPages.has(file)));
  return { pages, frame, areas };
}

/**
 * Returns the section of each used text: the area's, if only pages of one area show it, else the frame's.
 *
 * @param used keys by source file.
 */
export function homesOf({ frame, areas }, used) {
  const keysIn = (files) => new Set([...files].flatMap((file) => [...(used.get(file) ?? [])]));
  const homes = new Map();
  for (const [section, files] of areas) {
    for (const key of keysIn(files)) homes.set(key, homes.has(key) ? FRAME : section);
  }
  for (const key of keysIn(frame)) homes.set(key, FRAME);
  return homes;
}

/** Finds texts in another section than the pages that show them load. */
export const areaFaults = (sections, homes) =>
  [...sections]
    .filter(([key, section]) => homes.has(key) && homes.get(key) !== section)
    .map(([key, section]) => `${section}.json: ${key} belongs in ${homes.get(key)}.json`);
