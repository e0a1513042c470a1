import { availableParallelism } from 'node:os';

const OF_ITS_OWN = 4;
const FOR_OTHER_WORK = 2;

/**
 * Gives libuv a thread for each hash that may run at one time, and some for look-ups of names and for files, which share
 * them: of its own it has four, on however many cores. To be called before anything needs one.
 */
export function sizeThreadPool(cores = availableParallelism()): void {
  // eslint-disable-next-line no-restricted-properties -- not read but told, to libuv, which reads it there
  process.env['UV_THREADPOOL_SIZE'] ??= String(Math.max(OF_ITS_OWN, cores + FOR_OTHER_WORK));
}
