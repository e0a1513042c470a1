import { allOf, andThen, isPromise, MaybePromise, recoverFrom } from './maybe-promise';
import { fake } from '../../../test/support/service/fake';

const thenable = fake<Promise<boolean>>({ then: (next: (value: boolean) => unknown) => next(false) });

describe('MaybePromise', () => {
  it('continues synchronously with a value', () => {
    expect(andThen(2, (value) => value * 2)).toBe(4);
    expect(allOf([1, 'two'])).toEqual([1, 'two']);
    expect(
      recoverFrom(
        () => 1,
        () => 2,
      ),
    ).toBe(1);
  });

  it('continues after a promise', async () => {
    const doubled = andThen(Promise.resolve(2), (value) => value * 2);
    expect(isPromise(doubled)).toBe(true);
    expect(await doubled).toBe(4);
    expect(await allOf([1, Promise.resolve('two')])).toEqual([1, 'two']);
  });

  it('recognizes a promise of another realm by its shape', () => {
    expect(isPromise(thenable)).toBe(true);
    expect(andThen(thenable, (value) => value)).toBe(false);
  });

  it.each([undefined, null, false, 0, '', {}])('treats %p as a value', (value) => {
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
  ])('recovers from a %s error', async (_, work) => {
    expect(await recoverFrom(work, (error) => (error as Error).message.length)).toBe(2);
  });

  it('passes on the error of the continuation', async () => {
    const fail = (): number => {
      throw new Error('no');
    };
    expect(() => andThen(1, fail)).toThrow('no');
    await expect(andThen(Promise.resolve(1), fail)).rejects.toThrow('no');
  });
});
