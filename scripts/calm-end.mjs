import { readdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const WINDOW_MS = 20;
const CALM_WINDOWS = 3;
/** Of the processor time of one core, all threads together: below it a window counts as calm. */
const CALM_SHARE = 0.1;
const LONGEST_MS = 5_000;
const THREADS = '/proc/self/task';
const IS_RUNNABLE = /\) R /;

/** Whether another thread wants a processor, which a busy machine may not give it; false where the system does not say. */
function isAnotherThreadRunnable() {
  try {
    return readdirSync(THREADS)
      .filter((thread) => thread !== String(process.pid))
      .some((thread) => IS_RUNNABLE.test(readFileSync(`${THREADS}/${thread}/stat`, 'utf8')));
  } catch {
    return false;
  }
}

/**
 * Resolves once no thread of this process works any more, at the latest after 5 s. Awaited last by every script that worked
 * hard: Node.js waits for ever at an exit where V8 still compiles in the background and that thread waits for a
 * collection on this one (nodejs/node#54918). Until then timers turn the event loop, which is where it collects.
 * The same as src/calm-end.ts, for what runs before there is a build.
 */
export async function calmEnd() {
  const latest = Date.now() + LONGEST_MS;
  for (let calm = 0; calm < CALM_WINDOWS && Date.now() < latest;) {
    const [before, begun] = [process.cpuUsage(), performance.now()];
    await sleep(WINDOW_MS);
    const { user, system } = process.cpuUsage(before);
    const elapsed = (performance.now() - begun) * 1_000;
    const isCalm = user + system < elapsed * CALM_SHARE && !isAnotherThreadRunnable();
    calm = isCalm ? calm + 1 : 0;
  }
}
