import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Twice: the pages that the first collection empties are given back by the next. */
const COLLECTIONS_MS = [1_000, 1_200];
const ITS_OWN_FACTOR = 2;

/**
 * A start allocates much, keeps half, and does not come again: the room for new objects that V8 would make for it, 32 MB,
 * is never given back. It stays at its first size until the server is ready: 45 MB less for good, for some 70 ms of a start.
 */
export function holdHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Lets V8 grow with the load; soon after, when whoever waited has been answered, what the start left is collected. */
export function releaseHeap(): void {
  setFlagsFromString(`--semi-space-growth-factor=${ITS_OWN_FACTOR}`);
  for (const milliseconds of COLLECTIONS_MS) setTimeout(collect, milliseconds).unref();
}

function collect(): void {
  // The function is there in contexts that are made after the flag; where a runtime has none, V8 collects in its own time.
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('globalThis.gc') as (() => void) | undefined;
  setFlagsFromString('--no-expose-gc');
  gc?.();
}
