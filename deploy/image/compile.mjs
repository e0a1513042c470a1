/*
 * Starts the bundle in a folder, and writes V8's code cache of everything compiled until the first database connection:
 *
 *   node deploy/image/compile.mjs dist/server
 */
import { writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { calmEnd } from '../../scripts/calm-end.mjs';

const folder = resolve(process.argv[2]);
const { start } = createRequire(import.meta.url)(join(folder, 'start.cjs'));

const database = createServer().listen(0, '127.0.0.1');
await once(database, 'listening');
process.env.DATABASE_URL = `postgres://127.0.0.1:${database.address().port}/none`;

const script = start();
// Without this flag, a garbage collection drops code that ran only once. V8 rejects a cache made with other flags, so
// the flag is reset before the cache is created.
setFlagsFromString('--no-flush-bytecode');
await once(database, 'connection');
setFlagsFromString('--flush-bytecode');
writeFileSync(join(folder, 'server.v8'), script.createCachedData());
await calmEnd();
process.exit();
