import { inBatches } from './in-batches';

it('continues while batches are full and stops at the first short one', async () => {
  const sizes = [1_000, 1_000, 999, 1_000];
  const asked: number[] = [];
  await inBatches(async (limit) => {
    asked.push(limit);
    return sizes.shift() ?? 0;
  });
  expect(asked).toEqual([1_000, 1_000, 1_000]);
});

it('leaves the rest for the next run after 100 batches', async () => {
  const deleteSome = jest.fn(async (limit: number) => limit);
  await inBatches(deleteSome);
  expect(deleteSome).toHaveBeenCalledTimes(100);
});
