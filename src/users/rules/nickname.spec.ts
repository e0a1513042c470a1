import fc from 'fast-check';
import { checkNickname, fullName, nicknameFrom } from './nickname';

const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));

describe('checkNickname', () => {
  it.each([
    { name: 'a name', nickname: 'Ann Smith', broken: undefined },
    { name: 'an empty nickname', nickname: '', broken: undefined },
    { name: 'Chinese', nickname: '王小明', broken: undefined },
    { name: 'Hebrew with a mark', nickname: 'דוד\u200f', broken: undefined },
    { name: 'Persian with a non-joiner', nickname: 'علی\u200cرضا', broken: undefined },
    { name: 'a family of joined emoji', nickname: '👨‍👩‍👧‍👦', broken: undefined },
    { name: 'markup, which the output must escape', nickname: '<b>Ann</b>', broken: undefined },
    { name: '50 letters', nickname: 'x'.repeat(50), broken: undefined },
    { name: '50 emoji', nickname: '🦀'.repeat(50), broken: undefined },
    { name: '51 letters', nickname: 'x'.repeat(51), broken: 'max_length' },
    { name: '51 emoji', nickname: '🦀'.repeat(51), broken: 'max_length' },
    { name: 'a letter and 50 variation selectors', nickname: `x${'\ufe0f'.repeat(50)}`, broken: 'max_length' },
    { name: '100,000 variation selectors', nickname: '\ufe0f'.repeat(100_000), broken: 'max_length' },
    { name: 'a newline', nickname: 'Ann\n', broken: 'no_control_characters' },
    { name: 'a tab', nickname: 'Ann\tSmith', broken: 'no_control_characters' },
    { name: 'NUL', nickname: 'Ann\0', broken: 'no_control_characters' },
    { name: 'an escape sequence', nickname: '\x1b[31mAnn', broken: 'no_control_characters' },
    { name: 'DEL', nickname: 'Ann\x7f', broken: 'no_control_characters' },
    { name: 'C1', nickname: 'Ann\x9b', broken: 'no_control_characters' },
    { name: 'a line separator', nickname: 'Ann\u2028', broken: 'no_control_characters' },
    { name: 'a paragraph separator', nickname: 'Ann\u2029', broken: 'no_control_characters' },
    { name: 'a bidi override', nickname: 'nn\u202eA', broken: 'no_control_characters' },
    { name: 'a bidi embedding', nickname: '\u202aAnn', broken: 'no_control_characters' },
    { name: 'a bidi isolate', nickname: '\u2066Ann', broken: 'no_control_characters' },
    { name: 'a lone surrogate', nickname: 'Ann\ud83e', broken: 'well_formed' },
    { name: 'only spaces', nickname: '   ', broken: 'visible' },
    { name: 'only blank Braille patterns', nickname: '\u2800\u2800', broken: 'visible' },
    { name: 'only invisible characters', nickname: ' \u200b\ufe0f\u3164\u00a0', broken: 'visible' },
  ])('returns $broken for $name', ({ nickname, broken }) => {
    expect(checkNickname(nickname)).toBe(broken);
  });

  it('accepts at most 50 code points and 200 UTF-16 units, and never throws', () => {
    fc.assert(
      fc.property(
        anyText,
        (text) => checkNickname(text) !== undefined || (Array.from(text).length <= 50 && text.length <= 200),
      ),
    );
  });
});

describe('nicknameFrom', () => {
  it.each([
    ['👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦'],
    ['علی\u200cرضا', 'علی\u200cرضا'],
    ['क्‍ष', 'क्‍ष'],
    [' Ann\u202e Smith\u2069\n', 'Ann Smith'],
    ['\u2800', undefined],
    ['\u200d \u200b', undefined],
    ['', undefined],
    ['Ann\ud83e', 'Ann\ufffd'],
    [`${'x'.repeat(45)}👨‍👩‍👧‍👦`, 'x'.repeat(45)],
    ['y'.repeat(60), 'y'.repeat(50)],
  ])('reads %j as %j', (text, nickname) => {
    expect(nicknameFrom(text)).toBe(nickname);
  });
});

describe('fullName', () => {
  it.each([
    ['Ann', 'Smith', 'Ann Smith'],
    ['小明', '王', '王小明'],
    ['太郎', '山田', '山田太郎'],
    ['さくら', '佐々木', '佐々木さくら'],
    ['민준', '김', '김민준'],
    ['ﾀﾞｲｷ', 'ﾔﾏﾀﾞ', 'ﾔﾏﾀﾞﾀﾞｲｷ'],
    ['サリー', '〆木', '〆木サリー'],
    ['Xiaoming', '王', 'Xiaoming 王'],
    ['小明', undefined, '小明'],
    [undefined, 'Smith', 'Smith'],
    [' ', '', undefined],
  ])('of %j and %j is %j', (given, family, name) => {
    expect(fullName(given, family)).toBe(name);
  });
});
