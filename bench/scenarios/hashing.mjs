import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { quantile } from '../lib/statistics.mjs';

/** Argon2id alone, with as many concurrent hashes as a login has connections. */
export async function rawHashes() {
  const child = fork(fileURLToPath(new URL('../servers/argon2.mjs', import.meta.url)));
  await once(child, 'message');
  const contender = (kind, seconds, atOnce = 16) => ({
    name: `raw argon2id, ${kind}`,
    async measure(plan = { seconds }) {
      child.send({ kind, ...plan, atOnce });
      const [{ times, took, cpuUs, residentMb }] = await once(child, 'message');
      times.sort((one, other) => one - other);
      const perSecond = (times.length * 1_000) / took;
      return { perSecond, p50: quantile(times, 0.5), p99: quantile(times, 0.99), cpuUs, residentMb, busy: 1 };
    },
  });
  return { contender, stop: () => child.kill() };
}
