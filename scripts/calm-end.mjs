import { readdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const WINDOW_MS = 20;
const CALM_WINDOWS = 3;
/** The process is calm when its threads together use less than this share of one core. */
const CALM_SHARE = 0.1;
/** Far longer than any compilation takes, also on a loaded machine: a process that ends before may hang. */
const MAX_MS = 60_000;
const THREADS = '/proc/self/task';
const IS_RUNNABLE = /\) R /;

/** Whether another thread is waiting for a processor, which a busy machine may delay. False where /proc is missing. */
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
 * Resolves once no thread of this process is working, after a minute at the latest. Every script that compiles much code
 * awaits it last: Node.js hangs at exit when V8 compiles in the background and that thread waits for a garbage
 * collection on the main thread (nodejs/node#54918). Timers keep the event loop turning until then, so that the
 * collection can run. A copy of src/standalone/calm-end.ts, for scripts that run before there is a build.
 */
export async function calmEnd() {
  const latest = Date.now() + MAX_MS;
  for (let calm = 0; calm < CALM_WINDOWS && Date.now() < latest;) {
    const [before, begun] = [process.cpuUsage(), performance.now()];
    await sleep(WINDOW_MS);
    const { user, system } = process.cpuUsage(before);
    const elapsed = (performance.now() - begun) * 1_000;
    const isCalm = user + system < elapsed * CALM_SHARE && !isAnotherThreadRunnable();
    calm = isCalm ? calm + 1 : 0;
  }
}
