import { DeadlineExceeded, withDeadline } from './deadline';

const never = new Promise<never>(() => undefined);

describe('withDeadline', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('settles like the work and clears its timer', async () => {
    await expect(withDeadline(10, Promise.resolve(1))).resolves.toBe(1);
    await expect(withDeadline(10, Promise.reject(new RangeError('wrong')))).rejects.toThrow(RangeError);
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each([
    ['with the default error', undefined, DeadlineExceeded],
    ["with the caller's error", () => new RangeError('late'), RangeError],
  ])('reports a missed deadline %s', async (_how, late, error) => {
    const given = expect(withDeadline(10, never, late)).rejects.toThrow(error);
    await jest.advanceTimersByTimeAsync(11);
    await given;
  });

  it('accepts a result that arrived while the process was busy', async () => {
    let answer = (_value: number): void => undefined;
    const given = withDeadline(10, new Promise<number>((resolve) => (answer = resolve)));
    setTimeout(() => {
      answer(1);
    }, 10);
    await jest.advanceTimersByTimeAsync(11);
    await expect(given).resolves.toBe(1);
  });
});
