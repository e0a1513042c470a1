/*
 * Builds the login pages, the account pages and the console, always in production mode: NODE_ENV=development would make
 * them larger. Beside each asset it writes the compressed files that the service sends, because the best compression is
 * slow.
 *
 *   node web/build.mjs [--out .]   → dist/web below that folder
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { calmEnd } from '../scripts/calm-end.mjs';

const { values } = parseArgs({ options: { out: { type: 'string', default: join(import.meta.dirname, '..') } } });

const brotli = (content) =>
  promisify(brotliCompress)(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  });

async function compress(file) {
  const content = await readFile(file);
  await writeFile(`${file}.br`, await brotli(content));
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
}

const compressAll = async (folder) => Promise.all((await readdir(folder)).map((name) => compress(join(folder, name))));

process.env.NODE_ENV = 'production';
const { build } = await import('vite');
for (const entry of ['auth', 'account', 'console']) {
  const outDir = join(resolve(values.out), 'dist/web', entry);
  await build({
    mode: 'production',
    configFile: join(import.meta.dirname, `vite.${entry}.config.ts`),
    build: { outDir },
  });
  await compressAll(join(outDir, 'assets'));
}
await calmEnd();
