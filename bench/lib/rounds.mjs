import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './statistics.mjs';

/** A load that stops by time leaves hashes running. This pause lets them finish. */
const CUT_OFF_MS = 1_000;

const MEASURES = ['perSecond', 'p50', 'p99', 'cpuUs', 'residentMb', 'busy'];

const medians = (results) =>
  Object.fromEntries(MEASURES.map((name) => [name, median(results.map((result) => result[name]))]));

/**
 * Measures each contender once in every round. The order alternates, so that other load on the machine affects all of
 * them. A warm-up comes first, so that the result is that of a server that has run for days, with compiled code. The
 * first contender is compared with the others round by round.
 * @param contenders `{ name, measure(plan) }`: the plan `{ seconds }` sets the duration, without it the contender's own
 *   plan applies.
 */
export async function inRounds(contenders, { rounds, warmUpSeconds }) {
  const results = contenders.map(() => []);
  for (const contender of contenders) await contender.measure({ seconds: warmUpSeconds });
  await sleep(CUT_OFF_MS);
  for (let round = 0; round < rounds; round++) {
    const order = contenders.map((_, index) => index);
    for (const index of round % 2 === 0 ? order : order.reverse()) {
      results[index].push(await contenders[index].measure());
    }
  }
  const ratio = (name, other) => median(results[0].map((result, round) => result[name] / results[other][round][name]));
  return contenders.map(({ name }, index) => ({
    name,
    ...medians(results[index]),
    /** Above 1, the first contender is better. For latencies, below 1. */
    ratio: { perSecond: ratio('perSecond', index), p99: ratio('p99', index), cpu: 1 / ratio('cpuUs', index) },
  }));
}
