/*
 * Starts the bundle of a folder and keeps what V8 has compiled of it by the time it asks for its database:
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
// The next collection drops code that ran once. V8 takes no code of other flags, so they are reset at the end.
setFlagsFromString('--no-flush-bytecode');
await once(database, 'connection');
setFlagsFromString('--flush-bytecode');
writeFileSync(join(folder, 'server.v8'), script.createCachedData());
await calmEnd();
process.exit();
