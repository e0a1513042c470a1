const BATCH = 1_000;
const MOST_BATCHES = 100;

/** Cleans in batches that lock little, until one comes back short; what is left after a hundred waits for the next round. */
export async function inBatches(deleteSome: (limit: number) => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch++) if ((await deleteSome(BATCH)) < BATCH) return;
}
