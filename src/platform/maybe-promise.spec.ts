import { allOf, andThen, isPromise, MaybePromise, recoverFrom } from './maybe-promise';

const thenable = { then: (next: (value: boolean) => unknown) => next(false) } as unknown as Promise<boolean>;

describe('a value that may be there at once', () => {
  it('goes on at once', () => {
    expect(andThen(2, (value) => value * 2)).toBe(4);
    expect(allOf([1, 'two'])).toEqual([1, 'two']);
    expect(
      recoverFrom(
        () => 1,
        () => 2,
      ),
    ).toBe(1);
  });

  it('goes on after a promise', async () => {
    const doubled = andThen(Promise.resolve(2), (value) => value * 2);
    expect(isPromise(doubled)).toBe(true);
    expect(await doubled).toBe(4);
    expect(await allOf([1, Promise.resolve('two')])).toEqual([1, 'two']);
  });

  it('knows a promise of another realm by its shape', () => {
    expect(isPromise(thenable)).toBe(true);
    expect(andThen(thenable, (value) => value)).toBe(false);
  });

  it.each([undefined, null, false, 0, '', {}])('takes %p for a value', (value) => {
    expect(isPromise(value)).toBe(false);
  });

  it.each<[string, () => MaybePromise<number>]>([
    [
      'thrown',
      () => {
        throw new Error('no');
      },
    ],
    ['rejected', () => Promise.reject(new Error('no'))],
  ])('recovers from an error that is %s', async (_, work) => {
    expect(await recoverFrom(work, (error) => (error as Error).message.length)).toBe(2);
  });

  it('passes on the error of what comes next', async () => {
    const fail = (): number => {
      throw new Error('no');
    };
    expect(() => andThen(1, fail)).toThrow('no');
    await expect(andThen(Promise.resolve(1), fail)).rejects.toThrow('no');
  });
});
