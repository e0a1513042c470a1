/*
 * Both sets of pages, always as they are served: what NODE_ENV says around the build would make larger ones.
 *
 *   node web/build.mjs [--out .]   → dist/web below the folder
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { calmEnd } from '../scripts/calm-end.mjs';

const { values } = parseArgs({ options: { out: { type: 'string', default: join(import.meta.dirname, '..') } } });

process.env.NODE_ENV = 'production';
const { build } = await import('vite');
for (const entry of ['auth', 'console']) {
  await build({
    mode: 'production',
    configFile: join(import.meta.dirname, `vite.${entry}.config.ts`),
    build: { outDir: join(resolve(values.out), 'dist/web', entry) },
  });
}
await calmEnd();
