import { codeAsMade } from './typed-code';

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
  ])('normalizes %j to %s', (typed, made) => {
    expect(codeAsMade(typed)).toBe(made);
  });

  it.each(['012.345', '012_345', '012345a', ''])('keeps %j different', (typed) => {
    expect(codeAsMade(typed)).toBe(typed);
  });
});
