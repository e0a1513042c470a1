import fc from 'fast-check';
import { commonPasswords } from './common-passwords';
import { checkPassword } from './password';

const rules = { username: 'Ann_Smith', rejectCommon: true, minLength: 8, maxLength: 256 };
const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));

describe('checkPassword', () => {
  it.each([
    { name: 'a valid password', password: 'tr0ub4dor&3x', broken: undefined },
    { name: 'eight Chinese characters', password: '春眠不觉晓处处闻', broken: undefined },
    { name: 'eight emoji', password: '🦀'.repeat(8), broken: undefined },
    { name: 'surrounding spaces', password: '  tulip  ', broken: undefined },
    { name: 'only spaces', password: ' '.repeat(8), broken: undefined },
    { name: 'NUL and newline', password: 'tulip\0\nrose', broken: undefined },
    { name: 'seven characters', password: 'tulip12', broken: 'min_length' },
    { name: 'an empty password', password: '', broken: 'min_length' },
    { name: 'seven emoji, fourteen units', password: '🦀'.repeat(7), broken: 'min_length' },
    { name: 'eight code points in NFD, four in NFC', password: 'e\u0301'.repeat(4), broken: 'min_length' },
    { name: '256 emoji', password: '🦀'.repeat(256), broken: undefined },
    { name: '257 emoji', password: '🦀'.repeat(257), broken: 'max_length' },
    { name: '512 code points in NFD, 256 in NFC', password: 'e\u0301'.repeat(256), broken: undefined },
    {
      name: '1024 code points in NFD, 256 in NFC',
      password: '\u03B1\u0313\u0300\u0345'.repeat(256),
      broken: undefined,
    },
    { name: 'a lone high surrogate', password: 'tulip rose\ud83e', broken: 'well_formed' },
    { name: 'a lone low surrogate', password: '\udd80tulip rose', broken: 'well_formed' },
    { name: 'a common password', password: 'password', broken: 'password_too_common' },
    { name: 'a common password in another case', password: 'PassWord123', broken: 'password_too_common' },
    { name: 'a row of digits', password: '12345678', broken: 'password_too_common' },
    { name: 'a common password of a low rank', password: 'administrator', broken: 'password_too_common' },
    { name: 'the username', password: 'Ann_Smith', broken: 'password_too_common' },
    { name: 'the username in another case', password: 'aNN_sMITH', broken: 'password_too_common' },
    { name: 'the username with a suffix', password: 'Ann_Smith:tulip', broken: undefined },
    { name: 'a common password with a space', password: 'password ', broken: undefined },
  ])('returns $broken for $name', ({ password, broken }) => {
    expect(checkPassword(password, rules)).toBe(broken);
  });

  it('allows common passwords and the username when rejectCommon is off, but not other lengths', () => {
    const lenient = { ...rules, rejectCommon: false };
    expect(checkPassword('password', lenient)).toBeUndefined();
    expect(checkPassword('ann_smith', lenient)).toBeUndefined();
    expect(checkPassword('tulip', lenient)).toBe('min_length');
  });

  it('accepts rules without a username and with other lengths', () => {
    expect(checkPassword('ann_smith', { rejectCommon: true, minLength: 8, maxLength: 64 })).toBeUndefined();
    expect(checkPassword('x'.repeat(65), { rejectCommon: true, minLength: 8, maxLength: 64 })).toBe('max_length');
    expect(checkPassword('tulip rose', { rejectCommon: true, minLength: 15, maxLength: 64 })).toBe('min_length');
  });

  it('never throws, and is fast on input that is slow to normalize', () => {
    fc.assert(fc.property(anyText, (password) => (checkPassword(password, rules), true)));
    const started = performance.now();
    expect(checkPassword('\u0301\u0316'.repeat(500_000), rules)).toBe('max_length');
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('commonPasswords', () => {
  it('loads 10,000 lower-case entries of at least the minimum length once', () => {
    const common = commonPasswords();
    expect(common.size).toBe(10_000);
    for (const entry of common) expect(entry.length >= 8 && entry === entry.toLowerCase()).toBe(true);
    expect(commonPasswords()).toBe(common);
  });
});
