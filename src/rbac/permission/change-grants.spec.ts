import { changeGrants, isSameGrants } from './change-grants';
import { Grant, grantFrom, parsePermissionCode } from '.';

/** Formats grants as `scope:resource:action@level`, sorted. */
const shown = (grants: readonly Grant[]): string[] =>
  grants.map(({ scope, permissionId, level }) => `${scope}:${permissionId}@${level}`).sort();

const read = (text: string): Grant => {
  const [, scope = '', permissionId = '', level = ''] = /^(\w+|\*):(.+)@(\d)$/.exec(text) ?? [];
  return grantFrom(scope, permissionId, Number(level))!;
};
const grants = (...texts: string[]): Grant[] => texts.map(read);

describe('changeGrants', () => {
  it.each([
    ['adds', ['iam:a:read@1'], ['iam:b:read@2'], [], ['iam:a:read@1', 'iam:b:read@2']],
    ['sets a level higher', ['iam:a:read@1'], ['iam:a:read@5'], [], ['iam:a:read@5']],
    ['sets a level lower', ['iam:a:read@5'], ['iam:a:read@1'], [], ['iam:a:read@1']],
    ['removes', ['iam:a:read@1', 'iam:b:read@1'], [], ['iam:a:read'], ['iam:b:read@1']],
    ['ignores a removal that is not held', ['iam:a:read@1'], [], ['iam:b:read'], ['iam:a:read@1']],
    ['removes in one scope only', ['iam:a:read@1', 'crm:a:read@1'], [], ['iam:a:read'], ['crm:a:read@1']],
    [
      'removes the exact grant, not the grants it covers',
      ['iam:a:read@1', 'iam:*:*@1'],
      [],
      ['iam:*:*'],
      ['iam:a:read@1'],
    ],
  ])('%s', (_, before, add, remove, after) => {
    const codes = remove.map((code) => parsePermissionCode(code, 'iam')!);
    expect(shown(changeGrants(grants(...before), { add: grants(...add), remove: codes }))).toEqual(after.sort());
  });

  it.each([
    [['iam:a:read@1', 'iam:b:read@2'], ['iam:b:read@2', 'iam:a:read@1'], true],
    [['iam:a:read@1'], ['iam:a:read@2'], false],
    [['iam:a:read@1'], ['crm:a:read@1'], false],
    [['iam:a:read@1'], [], false],
    [[], ['iam:a:read@1'], false],
    [[], [], true],
  ])('compares %j with %j as same: %s', (left, right, isSame) => {
    expect(isSameGrants(grants(...left), grants(...right))).toBe(isSame);
  });
});
