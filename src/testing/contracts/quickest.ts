const ROUNDS = 5;

/** The milliseconds of the quickest of several rounds: what the work costs when nothing is in its way. */
export async function quickest(work: () => unknown): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    await work();
    least = Math.min(least, performance.now() - started);
  }
  return least;
}
