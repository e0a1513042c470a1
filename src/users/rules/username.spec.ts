import fc from 'fast-check';
import { checkNewUsername, isUsername, usernameFrom, usernameKey } from './username';

const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));

describe('checkNewUsername', () => {
  it.each([
    ['ann', undefined],
    ['123', undefined],
    ['123456', undefined],
    ['1234567', 'username_number'],
    ['13800138000', 'username_number'],
    ['13800138000a', undefined],
    ['_13800138000', undefined],
    ['ab', 'username'],
    ['ann-b', 'username'],
  ])('of %s returns %s', (name, problem) => {
    expect(checkNewUsername(name)).toBe(problem);
  });
});

describe('isUsername', () => {
  it.each([
    { value: 'ann', ok: true },
    { value: 'A_9', ok: true },
    { value: '12345', ok: true },
    { value: 'x'.repeat(50), ok: true },
    { value: 'ab', ok: false },
    { value: 'x'.repeat(51), ok: false },
    { value: '', ok: false },
    { value: 'ann\n', ok: false },
    { value: '\nann', ok: false },
    { value: 'ann\nbob', ok: false },
    { value: ' ann', ok: false },
    { value: 'ann-b', ok: false },
    { value: 'ann@b', ok: false },
    { value: '+123456', ok: false },
    { value: 'ann\0', ok: false },
    { value: 'änn', ok: false },
    { value: 'аnn', ok: false }, // Cyrillic а
    { value: 'ａｎｎ', ok: false },
    { value: '\u212Aelvin', ok: false }, // the Kelvin sign folds to k
    { value: ['ann'], ok: false },
    { value: { toString: () => 'ann' }, ok: false },
    { value: 12345, ok: false },
    { value: null, ok: false },
    { value: undefined, ok: false },
  ])('returns $ok for $value', ({ value, ok }) => {
    expect(isUsername(value)).toBe(ok);
  });

  it('lower-cases the key', () => {
    expect(usernameKey('Ann_B9')).toBe('ann_b9');
  });
});

describe('usernameFrom', () => {
  it.each([
    { text: 'Ann Smith', suffix: '', name: 'Ann_Smith' },
    { text: 'Ann Smith', suffix: '42', name: 'Ann_Smith42' },
    { text: ' José-María! ', suffix: '', name: 'Jose_Maria' },
    { text: 'ann.smith@example.com', suffix: '', name: 'ann_smith_example_com' },
    { text: '王小明', suffix: '', name: 'user' },
    { text: '王小明', suffix: '7', name: 'user7' },
    { text: '', suffix: '', name: 'user' },
    { text: 'li', suffix: '', name: 'user_li' },
    { text: 'li', suffix: '7', name: 'li7' },
    { text: '__', suffix: '', name: 'user' },
    { text: '13800138000', suffix: '', name: 'user_13800138000' },
    { text: '9'.repeat(80), suffix: '12', name: `user_${'9'.repeat(43)}12` },
    { text: 'x'.repeat(80), suffix: '123', name: `${'x'.repeat(47)}123` },
    { text: 'ann', suffix: '-;4\n', name: 'ann4' },
  ])('turns $text with suffix "$suffix" into $name', ({ text, suffix, name }) => {
    expect(usernameFrom(text, suffix)).toBe(name);
  });

  it('returns a valid username for any text and suffix', () => {
    fc.assert(fc.property(anyText, anyText, (text, suffix) => isUsername(usernameFrom(text, suffix))));
    expect(isUsername(usernameFrom('ﷺ\u0301'.repeat(30_000), 'x'.repeat(99)))).toBe(true);
  });
});
