import { CatalogueRanks } from './catalogue-ranks';
import { parsePermissionCode, PermissionCode } from './permission-code';
import { hasStandardRank, isPermissionLevel, PermissionLevel, rankOf } from './permission-level';

const code = (text: string): PermissionCode => parsePermissionCode(text, 'iam')!;
const ranked = (text: string, requiredLevel: PermissionLevel): PermissionCode & { requiredLevel: PermissionLevel } => ({
  ...code(text),
  requiredLevel,
});

describe('rankOf', () => {
  it.each([
    { action: 'read', rank: 1 },
    { action: 'create', rank: 2 },
    { action: 'update', rank: 3 },
    { action: 'delete', rank: 4 },
    { action: 'execute', rank: 5 },
    { action: 'grant', rank: 6 },
    { action: 'admin', rank: 7 },
    { action: '*', rank: 7 },
  ])('ranks $action $rank under any catalogue', ({ action, rank }) => {
    expect(rankOf(code(`role:${action}`))).toBe(rank);
    expect(rankOf(code(`role:${action}`), { requiredLevel: () => (rank === 1 ? 7 : 1) })).toBe(rank);
    expect(hasStandardRank(action)).toBe(true);
  });

  it.each(['publish', 'reads', 'rea', 'constructor', 'toString'])('ranks the nonstandard action %s 7', (action) => {
    expect(rankOf(code(`report:${action.toLowerCase()}`))).toBe(7);
    expect(hasStandardRank(action)).toBe(false);
  });

  it('applies a catalogue level only to the exact code', () => {
    const catalogue = new CatalogueRanks([ranked('shop:report:publish', 2)]);
    expect(rankOf(code('shop:report:publish'), catalogue)).toBe(2);
    expect(rankOf(code('shop:report:print'), catalogue)).toBe(7);
    expect(rankOf(code('shop:order:publish'), catalogue)).toBe(7);
    expect(rankOf(code('iam:report:publish'), catalogue)).toBe(7);
  });

  it('ignores catalogue levels for wildcard codes', () => {
    const catalogue = new CatalogueRanks([ranked('shop:*:publish', 1), ranked('*:report:publish', 1)]);
    expect(rankOf(code('shop:*:publish'), catalogue)).toBe(7);
    expect(rankOf(code('*:report:publish'), catalogue)).toBe(7);
    expect(rankOf(code('shop:report:publish'), catalogue)).toBe(7);
  });

  it('keeps the higher level of two entries for one code, in either order', () => {
    const entries = [ranked('report:publish', 2), ranked('report:publish', 5)];
    expect(rankOf(code('report:publish'), new CatalogueRanks(entries))).toBe(5);
    expect(rankOf(code('report:publish'), new CatalogueRanks(entries.reverse()))).toBe(5);
  });
});

describe('isPermissionLevel', () => {
  it.each([1, 2, 3, 4, 5, 6, 7])('accepts %s', (value) => {
    expect(isPermissionLevel(value)).toBe(true);
  });

  it.each([0, 8, -1, 1.5, NaN, Infinity, '7', null, undefined, true])('rejects %p', (value) => {
    expect(isPermissionLevel(value)).toBe(false);
  });
});
