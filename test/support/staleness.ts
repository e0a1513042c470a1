import { performance } from 'node:perf_hooks';

const PAUSE_MS = 20;

/**
 * Asks until the answer knows of a change that is made now, and says when the last stale answer was asked for: in
 * milliseconds from now, 0 when there was none. How long the answers take, and so how busy the machine is, does not count.
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
