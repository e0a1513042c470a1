import { performance } from 'node:perf_hooks';

const PAUSE_MS = 20;

/**
 * Repeats `knows` until it sees a change that is made now. Returns the milliseconds from now to the request time of the
 * last stale response, 0 when there was none. Response times and load therefore do not count.
 */
export async function staleFor(knows: () => Promise<boolean>, seconds = 10): Promise<number> {
  const made = performance.now();
  let lastStale = 0;
  for (;;) {
    const asked = performance.now() - made;
    if (await knows()) return lastStale;
    lastStale = asked;
    if (asked > seconds * 1_000) throw new Error(`Still stale after ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
