import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const WINDOW_MS = 20;
const CALM_WINDOWS = 3;
/** A window counts as calm below this share of one core, all threads together. */
const CALM_SHARE = 0.1;
const THREADS = '/proc/self/task';
const IS_RUNNABLE = /\) R /;

/**
 * Whether another thread is runnable but may still wait for a processor. Returns false when the system does not report
 * it.
 */
function isAnotherThreadRunnable(): boolean {
  try {
    return readdirSync(THREADS)
      .filter((thread) => thread !== String(process.pid))
      .some((thread) => IS_RUNNABLE.test(readFileSync(`${THREADS}/${thread}/stat`, 'utf8')));
  } catch {
    return false;
  }
}

/**
 * Resolves when no thread of this process works any more, at the latest after `longestMs`. Await it last in a process
 * that worked hard: Node.js hangs at exit while V8 compiles in the background and that thread waits for a garbage
 * collection on this one (nodejs/node#54918). Timers keep the event loop running, which is where the collection
 * happens.
 */
export async function calmEnd(longestMs: number): Promise<void> {
  const latest = Date.now() + longestMs;
  for (let calm = 0; calm < CALM_WINDOWS && Date.now() < latest;) {
    const [before, begun] = [process.cpuUsage(), performance.now()];
    await sleep(WINDOW_MS);
    const { user, system } = process.cpuUsage(before);
    const elapsed = (performance.now() - begun) * 1_000;
    const isCalm = user + system < elapsed * CALM_SHARE && !isAnotherThreadRunnable();
    calm = isCalm ? calm + 1 : 0;
  }
}
