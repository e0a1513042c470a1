import { readFileSync } from 'node:fs';

const TICK_MS = 10; // Linux: USER_HZ is 100 on every architecture Node runs on.

const textOf = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** The process and all its descendants. */
function treeOf(pid) {
  const found = [pid];
  for (const one of found) {
    found.push(...textOf(`/proc/${one}/task/${one}/children`).split(' ').filter(Boolean).map(Number));
  }
  return found;
}

/** Milliseconds of processor time that the process and its children have used. */
export function cpuMs(pid) {
  return treeOf(pid).reduce((sum, one) => {
    const stat = textOf(`/proc/${one}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return sum + (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS;
  }, 0);
}

/** Resident memory of the process and its children in MB (2^20). */
export function residentMb(pid) {
  return treeOf(pid).reduce(
    (sum, one) => sum + Number(/VmRSS:\s+(\d+)/.exec(textOf(`/proc/${one}/status`))?.[1] ?? 0) / 1024,
    0,
  );
}

/** A sample of the machine's processor times, for `busyBetween`. */
export function machineLook() {
  const [, ...times] = textOf('/proc/stat').split('\n', 1)[0].split(/\s+/);
  const all = times.slice(0, 8).map(Number);
  return { idle: all[3] + all[4], total: all.reduce((sum, one) => sum + one, 0) };
}

export const busyBetween = (from, to) => 1 - (to.idle - from.idle) / Math.max(1, to.total - from.total);
