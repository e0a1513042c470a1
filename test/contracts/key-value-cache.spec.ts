import { MemoryCache } from '../../src/platform/cache';
import { describeKeyValueCache } from './key-value-cache.contract';

describeKeyValueCache('MemoryCache', async () => {
  let now = 0;
  return {
    cache: new MemoryCache({ now: () => now }),
    close: async () => undefined,
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
});
