import { groupNameKey, isGroupName } from './group-name';

describe('isGroupName', () => {
  it.each(['Staff', 'grafana-editors', '研发 一组', 'Équipe', 'R&D (Berlin)', 'x'])('accepts %s', (name) => {
    expect(isGroupName(name)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['a space at the start', ' Staff'],
    ['a space at the end', 'Staff '],
    ['two spaces', 'Staff  Berlin'],
    ['a slash', 'Staff/Berlin'],
    ['a line break', 'Staff\n'],
    ['a no-break space', 'Staff\u00a0Berlin'],
    ['a zero-width space', 'Sta\u200bff'],
    ['a change of direction', '\u202eStaff'],
    ['a decomposed letter', 'E\u0301quipe'],
    ['a variation selector', 'Staff\ufe0f'],
    ['a grapheme joiner', 'Sta\u034fff'],
    ['a Hangul filler', 'Staff\u3164'],
    ['an initial Hangul filler', 'Staff\u115f'],
    ['an empty Braille pattern', 'Staff\u2800'],
    ['a long key', '\ufdfa'.repeat(100)],
  ])('rejects %s', (_, name) => {
    expect(isGroupName(name)).toBe(false);
  });
});

describe('groupNameKey', () => {
  it.each([
    ['another case', 'STAFF', 'staff'],
    ['fullwidth letters', 'Ｓｔａｆｆ', 'Staff'],
    ['a ligature', 'Sta\ufb00', 'Staff'],
    ['a final sigma', 'ΟΔΟΣ', 'οδοσ'],
  ])('is the same for %s', (_, name, other) => {
    expect(groupNameKey(name)).toBe(groupNameKey(other));
  });

  it('differs between other letters', () => {
    expect(groupNameKey('Équipe')).not.toBe(groupNameKey('Equipe'));
  });
});
