import { setTimeout as sleep } from 'node:timers/promises';
import { residentMb } from '../lib/process.mjs';
import { median } from '../lib/statistics.mjs';
import { loggingIn, loggingOut, reading, refreshing } from './sessions.mjs';

const SAMPLES = 48;
const LOGOUTS = 32;

/**
 * Memory of the server under session checks, refreshes, logins and logouts at the same time.
 * @returns the medians of the second and of the last eighth of the time. The first eighth is the warm-up.
 */
export async function memoryGrowth(target, { minutes }) {
  const seconds = minutes * 60;
  const until = performance.now() + seconds * 1_000;
  const repeat = async (contender, plan) => {
    while (performance.now() < until) await contender.measure(plan);
  };
  const samples = [];
  const sample = async () => {
    for (let taken = 0; taken < SAMPLES; taken++) {
      await sleep((seconds * 1_000) / SAMPLES);
      samples.push(residentMb(target.pid));
    }
  };
  const [checks, refreshes, logins, logouts] = Array.from({ length: 4 }, () => ({ ...target, users: undefined }));
  await Promise.all([
    repeat(reading(checks, ({ me }) => me, 10)),
    repeat(refreshing(refreshes, 10)),
    repeat(loggingIn(logins, 64, 2)),
    repeat(loggingOut(logouts, LOGOUTS)),
    sample(),
  ]);
  const eighth = SAMPLES / 8;
  return { minutes, startMb: median(samples.slice(eighth, 2 * eighth)), endMb: median(samples.slice(-eighth)) };
}
