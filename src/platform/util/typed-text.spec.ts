import fc from 'fast-check';
import { asciiDigits, codeAsMade, typedText } from './typed-text';

describe('typedText', () => {
  it.each([
    [' ann ', 'ann'],
    ['\u3000ann\u00a0', 'ann'],
    ['ａｎｎ＠example．com', 'ann@example.com'],
    ['\u202d+86 139 1111 2222\u202c', '+86 139 1111 2222'],
    ['\u2068ann\u2069', 'ann'],
    ['\ufeffann\u200b', 'ann'],
    ['e\u0301', 'é'],
    ['', ''],
  ])('reads %j as %j', (text, typed) => {
    expect(typedText(text)).toBe(typed);
  });

  it('reads what it has read as the same text, so that a name is stored as a login looks it up', () => {
    const parts = [
      'e',
      'K',
      '\u0301',
      '\u0323',
      '\u200d',
      '\u00ad',
      '\u1100',
      '\u1161',
      '\u3164',
      '\ufdfa',
      '¨',
      ' ',
      'क',
      '़',
    ];
    const text = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((each) => each.join(''));
    fc.assert(
      fc.property(text, (typed) => typedText(typedText(typed)) === typedText(typed)),
      { numRuns: 2_000 },
    );
  });
});

describe('asciiDigits', () => {
  it.each([
    ['185468', '185468'],
    ['１８５４６８', '185468'],
    ['١٨٥٤٦٨', '185468'],
    ['۱۸۵۴۶۸', '185468'],
    ['१८५४६८', '185468'],
    ['𝟏𝟖𝟓𝟒𝟔𝟖', '185468'],
    ['𝟙𝟠𝟝𝟜𝟞𝟠', '185468'],
    ['໑໘໕໔໖໘', '185468'],
    ['a²½Ⅷ', 'a²½Ⅷ'],
  ])('reads %s as %s', (text, digits) => {
    expect(asciiDigits(text)).toBe(digits);
  });

  it('knows every digit of Unicode', () => {
    const values = new Map<number, number>();
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const text = point >= 0xd800 && point <= 0xdfff ? '' : String.fromCodePoint(point);
      if (!/^\p{Nd}$/u.test(text)) continue;
      const value = Number(asciiDigits(text));
      values.set(value, (values.get(value) ?? 0) + 1);
    }
    // Each script has all ten.
    expect(new Set(values.values()).size).toBe(1);
    expect([...values.keys()].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

describe('codeAsMade', () => {
  it.each([
    ['012345', '012345'],
    ['012 345', '012345'],
    [' 012345\n', '012345'],
    ['012-345', '012345'],
    ['012\u00a0345', '012345'],
    ['0 1 2 3 4 5', '012345'],
    ['012–345', '012345'],
    ['\u200e012\u200b345', '012345'],
    ['ABCD-efgh jkmn', 'abcdefghjkmn'],
    ['１８５ ４６８', '185468'],
    ['١٨٥٤٦٨', '185468'],
    ['ＡＢＣＤ－ｅｆｇｈ', 'abcdefgh'],
    ['１８５ー４６８', '185468'],
    ['185·468', '185468'],
    ['185468。', '185468'],
    ['185468，', '185468'],
    ['185468.', '185468'],
    ['185468！', '185468'],
    ['185468…', '185468'],
    ['\u2068185468。\u2069', '185468'],
    ['185\u202f468', '185468'],
  ])('normalizes %j to %s', (typed, made) => {
    expect(codeAsMade(typed)).toBe(made);
  });

  it.each(['012.345', '012_345', '012345a', ''])('keeps %j different', (typed) => {
    expect(codeAsMade(typed)).toBe(typed);
  });
});
