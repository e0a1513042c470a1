import { isSamePassword, normalisedPassword } from './normalised-password';

const DECOMPOSED = 'e\u0301';

describe('normalisedPassword', () => {
  it('composes letters', () => {
    expect(normalisedPassword(`caf${DECOMPOSED}`)).toBe('café');
    expect(isSamePassword(`caf${DECOMPOSED}`, 'café')).toBe(true);
    expect(isSamePassword('cafe', 'café')).toBe(false);
  });

  it('leaves texts of more than 4,096 units as they are', () => {
    const longest = DECOMPOSED.repeat(2_048);
    expect(normalisedPassword(longest)).toHaveLength(2_048);
    expect(normalisedPassword(`${longest}!`)).toBe(`${longest}!`);
  });
});
