// Compares the size, as Brotli sends it, of the files that a browser loads before it shows a page with a budget. Fails
// above the budget.
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { calmEnd } from './calm-end.mjs';
import { readAreas } from './texts/areas.mjs';
import { sourcesUnder } from './texts/sources.mjs';

const root = resolve(process.argv[2] ?? 'dist/web');
const AUTH_KB = 55;
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

/** The console's pages: the modules that the entry imports on demand. */
function pagesOf(manifest) {
  return Object.keys(manifest).filter(
    (key) => manifest[key].isDynamicEntry && /^src\/console\/.*-page\.tsx$/.test(key),
  );
}

const auth = firstLoad('auth', 'index.html');
const shell = firstLoad('console', 'console.html');
const pages = pagesOf(shell.manifest);
const repository = resolve(import.meta.dirname, '..');
const areas = await readAreas(repository, sourcesUnder(repository, 'web/src/console'));
if (pages.length === 0) throw new Error('The console has no pages: the manifest has an unexpected format');
const rows = [
  ['auth, first load', kilobytes('auth', auth.files), AUTH_KB],
  ...pages.map((page) => {
    const sections = areas.pages.get(`web/${page}`) ?? [];
    const texts = sections.flatMap((section) => textsOf('console', shell.manifest, section) ?? []);
    const files = filesOf(shell.manifest, page, new Set([...shell.files, ...texts]));
    return [`console, ${page.replace(/^src\/console\/|\.tsx$/g, '')}`, kilobytes('console', files), CONSOLE_KB];
  }),
];

for (const [name, size, limit] of rows.sort(([, one], [, other]) => one - other)) {
  console.log(`${size > limit ? 'OVER  ' : '      '}${size.toFixed(1).padStart(6)} kB of ${limit}  ${name}`);
}
process.exitCode = rows.some(([, size, limit]) => size > limit) ? 1 : 0;
await calmEnd();
