/*
 * Bundles the built server and the modules that every start loads into one file for the container image, and adds V8's
 * code cache of it. Run after a build:
 *
 *   node deploy/image/bundle.mjs [--from .]   dist/main.js → dist/server: start.cjs, server.js, server.v8
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { calmEnd } from '../../scripts/calm-end.mjs';

const LONGEST_MS = 60_000;

const { values } = parseArgs({ options: { from: { type: 'string', default: '.' } } });
const root = resolve(values.from);
const folder = join(root, 'dist', 'server');

/** The lazily loaded packages that every start uses. */
const USED_AT_START = new Set([
  '@redis/client',
  'cache-manager',
  'cache-manager-redis-yet',
  'libphonenumber-js',
  // class-validator requires it.
  'libphonenumber-js/max',
  'passport-oauth2',
]);
/** Packages that read files beside their own modules, or that telemetry instruments by name. */
const EXTERNAL = ['swagger-ui-dist', 'pg', '@electric-sql/pglite'];
/** Optional peers of nestjs-i18n for hosts that generate types or render views. The service does neither. */
const NEVER_REQUIRED = ['typescript', 'hbs', 'handlebars'];

function packagesOutside() {
  const { lazy } = JSON.parse(readFileSync(new URL('../../.swcrc', import.meta.url), 'utf8')).module;
  return [...EXTERNAL, ...NEVER_REQUIRED, ...lazy.filter((name) => !USED_AT_START.has(name))];
}

/**
 * Escapes all non-ASCII characters: V8 keeps the source in memory, and one such character makes each take two bytes.
 */
const ascii = (text) =>
  text.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

async function bundled() {
  const { rolldown } = await import('rolldown');
  const outside = packagesOutside();
  const build = await rolldown({
    input: join(root, 'dist', 'main.js'),
    cwd: root,
    platform: 'node',
    external: (id) => outside.some((name) => id === name || id.startsWith(`${name}/`)),
    // Tree shaking could change the order and the side effects of modules.
    treeshake: false,
    // NestJS requires optional packages that are not installed.
    onLog: (level, log, next) => {
      if (log.code !== 'UNRESOLVED_IMPORT') next(level, log);
    },
  });
  const { output } = await build.generate({
    format: 'cjs',
    codeSplitting: false,
    dynamicImportInCjs: false,
    comments: false,
  });
  return output[0].code;
}

/** Writes V8's code cache of a start, from a process with a clean environment. */
async function compiled() {
  const { PATH, HOME } = process.env;
  const own = {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'error',
    // No Redis runs there. The URL makes the server load the client, and the fallback store takes over.
    REDIS_URL: 'redis://127.0.0.1:1',
    ENCRYPTION_KEYS: `bundle:${randomBytes(32).toString('base64url')}`,
  };
  const script = fileURLToPath(new URL('compile.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, folder], { env: { PATH, HOME, ...own }, stdio: 'inherit' });
  const timer = setTimeout(() => child.kill(), LONGEST_MS);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  if (code !== 0) throw new Error(`The bundle did not start: it exited with ${code}`);
}

rmSync(folder, { recursive: true, force: true });
const code = await bundled();
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, 'server.js'),
  ascii(`(function (exports, require, module, __filename, __dirname) {${code}\n})`),
);
copyFileSync(new URL('start.cjs', import.meta.url), join(folder, 'start.cjs'));
await compiled();
await calmEnd();
