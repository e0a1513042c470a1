/*
 * Starts the bundle of a folder and keeps what V8 has compiled of it by the time it asks for its database:
 *
 *   node scripts/bundle-code.mjs dist/server
 */
import { writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';

const folder = resolve(process.argv[2]);
const require = createRequire(import.meta.url);
const { runBundle } = require(join(folder, '..', 'bundle.js'));
const { releaseHeap } = require(join(folder, '..', 'start-heap.js'));

const database = createServer().listen(0, '127.0.0.1');
await once(database, 'listening');
process.env.DATABASE_URL = `postgres://127.0.0.1:${database.address().port}/none`;

const script = runBundle(folder);
// What runs only once is forgotten by the next collection. V8 takes no code of other flags, so they are set back at the end.
setFlagsFromString('--no-flush-bytecode');
await once(database, 'connection');
setFlagsFromString('--flush-bytecode');
releaseHeap();
writeFileSync(join(folder, 'server.v8'), script.createCachedData());
process.exit();
