// Compares the size, as Brotli sends it, of the files that a browser loads before it shows a page with a budget. Fails
// above the budget.
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { calmEnd } from './calm-end.mjs';
import { readAreas } from './texts/areas.mjs';
import { sourcesUnder } from './texts/sources.mjs';

const root = resolve(process.argv[2] ?? 'dist/web');
const AUTH_KB = 55;
const ACCOUNT_KB = 58;
const CONSOLE_KB = 180;
const LANGUAGE = /i18n\/\w+\/(\w+)\.json$/;

const manifestOf = (entry) => JSON.parse(readFileSync(join(root, entry, '.vite/manifest.json'), 'utf8'));

/** The files that a module needs before it runs: its own, its imports, and their styles. */
function filesOf(manifest, key, seen = new Set()) {
  const { file, css = [], imports = [] } = manifest[key];
  if (seen.has(file)) return seen;
  for (const own of [file, ...css]) seen.add(own);
  for (const imported of imports) filesOf(manifest, imported, seen);
  return seen;
}

function kilobytes(entry, files) {
  const bytes = [...files].map((file) => statSync(join(root, entry, `${file}.br`)).size);
  return bytes.reduce((sum, size) => sum + size, 0) / 1000;
}

/** The file of a section in its largest language. A browser loads only one language. */
function textsOf(entry, manifest, section) {
  const sizes = Object.keys(manifest)
    .filter((key) => LANGUAGE.exec(key)?.[1] === section)
    .map((key) => [manifest[key].file, kilobytes(entry, [manifest[key].file])]);
  return sizes.sort(([, one], [, other]) => other - one)[0]?.[0];
}

/** What an entry loads before its first page. */
function firstLoad(entry, html) {
  const manifest = manifestOf(entry);
  const texts = textsOf(entry, manifest, entry);
  if (texts === undefined) throw new Error(`${entry} loads no texts: the manifest has an unexpected format`);
  return { manifest, files: filesOf(manifest, html).add(texts) };
}

/** The pages of an entry: the modules that it imports on demand. */
function pagesOf(entry, manifest) {
  const isPage = (key) => manifest[key].isDynamicEntry && key.startsWith(`src/${entry}/`) && key.endsWith('-page.tsx');
  const pages = Object.keys(manifest).filter(isPage);
  if (pages.length === 0) throw new Error(`${entry} has no pages: the manifest has an unexpected format`);
  return pages;
}

/** @param texts the sections of a page. */
function pageRows(entry, { manifest, files }, limit, texts = () => []) {
  return pagesOf(entry, manifest).map((page) => {
    const sections = texts(`web/${page}`).flatMap((section) => textsOf(entry, manifest, section) ?? []);
    const name = page.replace(/^src\/\w+\/(pages\/)?|\.tsx$/g, '');
    return [`${entry}, ${name}`, kilobytes(entry, filesOf(manifest, page, new Set([...files, ...sections]))), limit];
  });
}

const auth = firstLoad('auth', 'index.html');
const account = firstLoad('account', 'account.html');
const shell = firstLoad('console', 'console.html');
const repository = resolve(import.meta.dirname, '..');
const consoleSources = ['web/src/console', 'web/src/session'].flatMap((folder) => sourcesUnder(repository, folder));
const areas = await readAreas(repository, consoleSources);
const rows = [
  ['auth, first load', kilobytes('auth', auth.files), AUTH_KB],
  ...pageRows('account', account, ACCOUNT_KB),
  ...pageRows('console', shell, CONSOLE_KB, (page) => areas.pages.get(page) ?? []),
];

for (const [name, size, limit] of rows.sort(([, one], [, other]) => one - other)) {
  console.log(`${size > limit ? 'OVER  ' : '      '}${size.toFixed(1).padStart(6)} kB of ${limit}  ${name}`);
}
process.exitCode = rows.some(([, size, limit]) => size > limit) ? 1 : 0;
await calmEnd();
