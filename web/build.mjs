/*
 * Builds the login pages and the console, always in production mode: NODE_ENV=development would make them larger.
 *
 *   node web/build.mjs [--out .]   → dist/web below that folder
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
