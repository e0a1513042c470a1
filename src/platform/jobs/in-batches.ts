const BATCH = 1_000;
const MAX_BATCHES = 100;

/**
 * Deletes in small batches, to hold few locks, until a batch is not full. After 100 batches the rest waits for the next
 * run.
 */
export async function inBatches(deleteSome: (limit: number) => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch++) if ((await deleteSome(BATCH)) < BATCH) return;
}
