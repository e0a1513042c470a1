import fc from 'fast-check';
import {
  constantTimeEqual,
  newId,
  newRequestId,
  randomDigits,
  randomFraction,
  randomPassword,
  randomToken,
  sha256,
} from './random';

const many = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

describe('random values', () => {
  it('creates ascending, distinct UUIDs of version 7 in lower case', () => {
    const ids = many(2_000, newId);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
  });

  it('creates distinct request ids, UUIDs of version 7 with the present time', () => {
    const clock = jest.spyOn(Date, 'now');
    for (const now of [0x018bcfe5_6800, 0x018bcfe5_6800, 0x018bcfe5_6801]) {
      clock.mockReturnValue(now);
      const ids = many(100, newRequestId);
      const time = `018bcfe5-${now.toString(16).slice(-4)}`;
      for (const id of ids) expect(id).toMatch(new RegExp(`^${time}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`));
      expect(new Set(ids).size).toBe(100);
    }
    clock.mockRestore();
  });

  it('creates fractions from 0 to 1, 1 excluded', () => {
    const fractions = many(1_000, randomFraction);
    expect(Math.min(...fractions)).toBeGreaterThanOrEqual(0);
    expect(Math.min(...fractions)).toBeLessThan(0.1);
    expect(Math.max(...fractions)).toBeGreaterThan(0.9);
    expect(Math.max(...fractions)).toBeLessThan(1);
  });

  it('creates tokens of 256 bits by default and of at least 128 bits', () => {
    expect(randomToken()).toMatch(/^[\w-]{43}$/);
    expect(randomToken(16)).toMatch(/^[\w-]{22}$/);
    expect(new Set(many(2_000, () => randomToken(16))).size).toBe(2_000);
    expect(() => randomToken(15)).toThrow(RangeError);
    expect(() => randomToken(Number.NaN)).toThrow(RangeError);
  });

  it('creates uniformly distributed digits with leading zeros', () => {
    const codes = many(20_000, () => randomDigits(6));
    for (const code of codes) expect(code).toMatch(/^\d{6}$/);
    for (let place = 0; place < 6; place += 1) {
      const counts = new Map<string, number>();
      for (const code of codes) counts.set(code[place]!, (counts.get(code[place]!) ?? 0) + 1);
      const chiSquare = Array.from('0123456789').reduce(
        (sum, digit) => sum + ((counts.get(digit) ?? 0) - 2_000) ** 2 / 2_000,
        0,
      );
      expect(chiSquare).toBeLessThan(60); // Nine degrees of freedom: fails by chance once in a billion runs.
    }
  });

  it.each([1, 64])('creates a code of %p digits', (length) => {
    expect(randomDigits(length)).toMatch(new RegExp(`^\\d{${length}}$`));
  });

  it.each([0, -1, 1.5, 65, Number.NaN])('rejects a code of %p digits', (length) => {
    expect(() => randomDigits(length)).toThrow(RangeError);
  });

  it('creates passwords of at least 128 bits without look-alikes', () => {
    const passwords = many(500, randomPassword);
    for (const password of passwords) expect(password).toMatch(/^[a-km-np-z2-9]{4}(-[a-km-np-z2-9]{4}){6}$/);
    const letters = new Set(passwords.join('').replaceAll('-', ''));
    expect(letters.size).toBe(32);
    expect(Math.log2(letters.size) * 28).toBeGreaterThanOrEqual(128);
  });
});

describe('digests and comparison', () => {
  it('computes the SHA-256 of the empty text (FIPS 180-4)', () => {
    expect(sha256('')).toBe('47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU');
  });

  it('compares texts of any length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(constantTimeEqual(a, b)).toBe(a === b);
        expect(constantTimeEqual(a, a)).toBe(true);
        expect(constantTimeEqual(a, `${a}\0`)).toBe(false);
      }),
    );
  });
});
