import { join } from 'node:path';
import { runBundle } from './bundle';
import { sizeThreadPool } from './thread-pool';

sizeThreadPool();

/** The server as one file where `npm run build` has made it, else as its modules: the same code, read more slowly. */
if (!runBundle(join(__dirname, 'server'))) void import('./serve.js');
