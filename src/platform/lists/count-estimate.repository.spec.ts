import type { EntityManager } from 'typeorm';
import type { Replicas } from '../database';
import { EXACT_TOTAL, CountEstimateRepository } from './count-estimate.repository';
import { fake } from '../../../test/support/service/fake';

const SELECT = 'SELECT 1 FROM thing WHERE kind = $1';

describe('CountEstimateRepository', () => {
  let asked: string[];
  let rows: number;
  let expected: number;
  let totals: CountEstimateRepository;

  beforeEach(() => {
    asked = [];
    rows = 7;
    expected = 123_456;
    const query = async (sql: string): Promise<unknown> => {
      asked.push(sql);
      if (sql.startsWith('EXPLAIN')) return [{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': expected } }] }];
      return [{ total: Math.min(rows, EXACT_TOTAL + 1) }];
    };
    const manager = fake<EntityManager>({ query });
    totals = new CountEstimateRepository(
      fake<Replicas>({
        read: (work: (from: EntityManager) => unknown) => work(manager),
      }),
    );
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('counts each time up to the exact limit', async () => {
    expect(await totals.about(SELECT, ['a'])).toEqual({ total: 7, isEstimate: false });
    rows = EXACT_TOTAL;
    expect(await totals.about(SELECT, ['a'])).toEqual({ total: EXACT_TOTAL, isEstimate: false });
  });

  it("returns the planner's estimate beyond the limit, and never less than the count", async () => {
    rows = EXACT_TOTAL + 1;
    expect(await totals.count(SELECT, ['a'])).toEqual({ total: 123_456, isEstimate: true });
    expected = 3;
    expect(await totals.count(SELECT, ['a'])).toEqual({ total: EXACT_TOTAL + 1, isEstimate: true });
  });

  it('caches an estimate for display for a minute per list', async () => {
    rows = EXACT_TOTAL + 1;
    await totals.about(SELECT, ['a']);
    const once = asked.length;
    expect(await totals.about(SELECT, ['a'])).toEqual({ total: 123_456, isEstimate: true });
    expect(asked).toHaveLength(once);
    await totals.about(SELECT, ['b']);
    expect(asked).toHaveLength(2 * once);
    rows = 5;
    expect(await totals.count(SELECT, ['a'])).toEqual({ total: 5, isEstimate: false });
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    expect(await totals.about(SELECT, ['a'])).toEqual({ total: 5, isEstimate: false });
  });
});
