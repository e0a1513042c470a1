import { availableParallelism } from 'node:os';

const DEFAULT_THREADS = 4;
const OTHER_THREADS = 2;

/**
 * Gives libuv one thread for each hash that may run in parallel, and some for name lookups and files, which share the
 * pool. The default is four threads, whatever the number of cores. Call before anything needs a thread.
 */
export function sizeThreadPool(cores = availableParallelism()): void {
  // eslint-disable-next-line no-restricted-properties -- written, not read: libuv reads it from there
  process.env['UV_THREADPOOL_SIZE'] ??= String(Math.max(DEFAULT_THREADS, cores + OTHER_THREADS));
}
