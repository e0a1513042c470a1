import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './statistics.mjs';

/** A load that ends by the clock leaves hashes behind that nobody waits for. */
const CUT_OFF_MS = 1_000;

const MEASURES = ['perSecond', 'p50', 'p99', 'cpuUs', 'residentMb', 'busy'];

const medians = (results) =>
  Object.fromEntries(MEASURES.map((name) => [name, median(results.map((result) => result[name]))]));

/**
 * Measures each contender in every round, in turns forwards and backwards, so that what else the machine does meets all
 * of them. Before, each is under load until its code is compiled: a server that runs for days is measured, not its first
 * minute. The first one is the one compared with the others, round by round.
 * @param contenders `{ name, measure(plan) }`; without a plan it measures as it was made to, `{ seconds }` for so long.
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
    /** Above 1: the first one is better. Latency: below 1. */
    ratio: { perSecond: ratio('perSecond', index), p99: ratio('p99', index), cpu: 1 / ratio('cpuUs', index) },
  }));
}
