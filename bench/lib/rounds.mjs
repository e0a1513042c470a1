import { median } from './statistics.mjs';

const MEASURES = ['perSecond', 'p50', 'p99', 'cpuUs', 'residentMb', 'busy'];

const medians = (results) =>
  Object.fromEntries(MEASURES.map((name) => [name, median(results.map((result) => result[name]))]));

/**
 * Measures each contender in every round, in turns forwards and backwards, so that what else the machine does meets all
 * of them. The first one is the one compared with the others, round by round.
 * @param contenders `{ name, measure(round) }`
 */
export async function inRounds(contenders, rounds) {
  const results = contenders.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const order = contenders.map((_, index) => index);
    for (const index of round % 2 === 0 ? order : order.reverse()) {
      results[index].push(await contenders[index].measure(round));
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
