import { retryDelay } from './retry-delay';

const delays = (random: number): number[] => {
  const found: number[] = [];
  for (let delay = retryDelay(1, random); delay !== undefined; delay = retryDelay(found.length + 1, random)) {
    found.push(delay);
  }
  return found;
};
const hoursOf = (random: number): number => delays(random).reduce((sum, delay) => sum + delay, 0) / 3_600;

describe('retryDelay', () => {
  it('begins within five seconds and ends after about seventeen hours', () => {
    expect(delays(0)[0]).toBe(5);
    expect(hoursOf(0)).toBeCloseTo(18.6, 1);
    expect(hoursOf(0.5)).toBeCloseTo(16.7, 1);
  });

  it('grows with each attempt, whatever the jitter', () => {
    const [shortest, longest] = [delays(1), delays(0)];
    for (let attempt = 1; attempt < longest.length; attempt++) {
      expect(shortest[attempt]).toBeGreaterThan(longest[attempt - 1]!);
    }
  });
});
