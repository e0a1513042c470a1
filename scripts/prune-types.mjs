// Deletes the declarations in dist/types that no entry of the package leads to: hosts would install them for nothing.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { calmEnd } from './calm-end.mjs';

const root = resolve('dist/types');
const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));

/** The file that a relative import of a declaration means. */
function fileOf(from, name) {
  const path = resolve(dirname(from), name.replace(/\.js$/, ''));
  const file = [`${path}.d.ts`, join(path, 'index.d.ts')].find((candidate) => existsSync(candidate));
  if (file === undefined) throw new Error(`${from} imports ${name}, which does not exist`);
  return file;
}

const entries = Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [resolve(types)]));
const reached = new Set();
for (const files = [...entries]; files.length > 0;) {
  const file = files.pop();
  if (reached.has(file)) continue;
  reached.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/(?:from |import |import\()["'](\.[^"']*)["']/g);
  for (const [, name] of imports) files.push(fileOf(file, name));
}

const all = readdirSync(root, { recursive: true }).map((name) => join(root, name));
for (const file of all) if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
await calmEnd();
