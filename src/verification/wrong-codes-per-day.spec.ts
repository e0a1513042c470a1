import { areBounded, MAX_WRONG_PER_DAY, maxWrongPerDay } from './wrong-codes-per-day';

describe('wrong codes per day', () => {
  it.each([
    [0, 5, true],
    [10, 5, true],
    [14, 5, true],
    [7, 10, true],
    [70, 1, true],
    [15, 5, false],
    [8, 10, false],
    [71, 1, false],
    [-1, 1, false],
  ])('are bounded by %i codes with %i attempts each: %s', (daily, attempts, expected) => {
    expect(areBounded(daily, attempts)).toBe(expected);
    expect(maxWrongPerDay(daily, attempts)).toEqual({ own: expected ? null : 70, shared: 30 });
  });

  it('are 100 at most', () => {
    expect(MAX_WRONG_PER_DAY.own + MAX_WRONG_PER_DAY.shared).toBe(100);
  });
});
