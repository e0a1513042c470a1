/**
 * Makes the code of `castellan-guard` from the built server: copies what `castellan/guard` requires, and the texts of its
 * errors, into `packages/guard`. Fails if it requires a package that `packages/guard/package.json` does not name.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { calmEnd } from './calm-end.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'packages/guard');
const built = join(root, 'dist');
const entry = join(built, 'service-guard/client/index.js');
const LANGUAGES = ['en', 'zh'];

function fileOf(from, name) {
  const path = resolve(dirname(from), name);
  const file = [`${path}.js`, join(path, 'index.js')].find((candidate) => existsSync(candidate));
  if (file === undefined) throw new Error(`${from} requires ${name}, which does not exist`);
  return file;
}

const packageOf = (name) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

if (!existsSync(entry)) throw new Error('The server is not built: npm run build:server');
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
const named = new Set(Object.keys({ ...dependencies, ...peerDependencies }));
const files = new Set();
for (const waiting = [entry]; waiting.length > 0;) {
  const file = waiting.pop();
  if (files.has(file)) continue;
  files.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/require\("([^"]+)"\)/g)) {
    if (name.startsWith('.')) waiting.push(fileOf(file, name));
    else if (!isBuiltin(name) && !named.has(packageOf(name))) throw new Error(`castellan-guard does not name ${name}`);
  }
}

for (const folder of ['dist', 'i18n']) rmSync(join(target, folder), { recursive: true, force: true });
for (const file of files) {
  const place = join(target, 'dist', relative(built, file));
  mkdirSync(dirname(place), { recursive: true });
  cpSync(file, place);
}
for (const language of LANGUAGES) {
  cpSync(join(root, 'i18n', language, 'errors.json'), join(target, 'i18n', language, 'errors.json'));
}
await calmEnd();
