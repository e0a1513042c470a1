/*
 * Makes what the container image starts: one file of the built server and of what it loads at every start, and V8's code of
 * it (docs/adr/0095-…). Run after a build:
 *
 *   node deploy/image/bundle.mjs [--from .]   dist/main.js and all below it → dist/server: start.cjs, server.js, server.v8
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

/** Of what the modules load when it is first used, this is used by every start. */
const USED_AT_START = new Set([
  '@redis/client',
  'cache-manager',
  'cache-manager-redis-yet',
  'libphonenumber-js',
  // class-validator reads it.
  'libphonenumber-js/max',
  'passport-oauth2',
]);
/** Finds files of its own beside itself, or is watched by name by telemetry. */
const STAYS_OUTSIDE = ['swagger-ui-dist', 'pg', '@electric-sql/pglite'];
/** What nestjs-i18n asks for where a host writes types or renders views by it; the service does neither. */
const NEVER_ASKED_FOR = ['typescript', 'hbs', 'handlebars'];

function packagesOutside() {
  const { lazy } = JSON.parse(readFileSync(new URL('../../.swcrc', import.meta.url), 'utf8')).module;
  return [...STAYS_OUTSIDE, ...NEVER_ASKED_FOR, ...lazy.filter((name) => !USED_AT_START.has(name))];
}

/** One byte a character: V8 keeps the text as long as the process lives, and twice as long as soon as one needs two. */
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
    // The order in which modules run, and what they do then, stays theirs.
    treeshake: false,
    // What NestJS asks for in case it is there.
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

/** V8's code of what a start runs, from a process that knows nothing of this one's environment. */
async function compiled() {
  const { PATH, HOME } = process.env;
  const own = {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'error',
    // It is not there, and stood in for; the client is loaded.
    REDIS_URL: 'redis://127.0.0.1:1',
    ENCRYPTION_KEYS: `bundle:${randomBytes(32).toString('base64url')}`,
  };
  const script = fileURLToPath(new URL('compile.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, folder], { env: { PATH, HOME, ...own }, stdio: 'inherit' });
  const timer = setTimeout(() => child.kill(), LONGEST_MS);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  if (code !== 0) throw new Error(`The bundle did not start: it ended with ${code}`);
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
