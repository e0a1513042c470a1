import { RecentRevocationsService, Revocations } from './recent-revocations.service';
import { ENTRY_SECONDS } from './session-entry';
import { fakeArguments } from '../../../test/support/service/fake';

type Parts = ConstructorParameters<typeof RecentRevocationsService>;

describe('RecentRevocationsService', () => {
  const asked: [number, number][] = [];
  const observed: Date[] = [];

  /** The results of reads that find these numbers of revoked sessions, a second apart. */
  async function loads(...counts: number[]): Promise<Revocations[]> {
    let now = 0;
    const sessions = {
      findRevoked: async (seconds: number, limit: number) => {
        asked.push([seconds, limit]);
        const ids = Array.from({ length: counts.shift()! }, (_, index) => `session ${index}`);
        return { ids, now: new Date((now += 1_000)) };
      },
    };
    const service = new RecentRevocationsService(
      ...fakeArguments<Parts>([
        { createSnapshot: (_: string, load: () => Promise<Revocations>) => ({ get: load }) },
        sessions,
        { observe: (at: Date) => observed.push(at) },
      ]),
    );
    const results: Revocations[] = [];
    while (counts.length > 0) results.push(await service.get());
    return results;
  }

  it('reads as far back as entries of the cache and transactions last', async () => {
    await loads(0);
    expect(asked).toEqual([[ENTRY_SECONDS + 60, 10_001]]);
    expect(observed).toEqual([new Date(1_000)]);
  });

  it('is incomplete with more than 10,000 revocations', async () => {
    const [most, tooMany] = await loads(10_000, 10_001);
    expect([most!.isIncomplete, most!.ids.size]).toEqual([false, 10_000]);
    expect(tooMany!.isIncomplete).toBe(true);
  });

  it('keeps the time of the first read', async () => {
    expect((await loads(0, 0)).map(({ firstAskedAt }) => firstAskedAt)).toEqual([1_000, 1_000]);
  });
});
