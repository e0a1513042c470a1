import { CatalogueRanks } from './catalogue-ranks';
import { everythingIn, Grant, grantFrom, grantOf, mergeGrants, PermissionCheck } from './grant';
import { GrantSet } from './grant-set';
import { formatPermissionCode, parsePermissionCode } from './permission-code';
import { PermissionLevel } from './permission-level';

/** Parses `code` or `code@level`. An invalid code gives no grant. */
function grant(text: string): Grant | undefined {
  const [code = '', level = '7'] = text.split('@');
  const parsed = parsePermissionCode(code, 'iam');
  return parsed && grantOf(parsed, Number(level) as PermissionLevel);
}

function check(text: string): PermissionCheck {
  const [code = '', level] = text.split('@');
  return {
    ...parsePermissionCode(code, 'iam')!,
    level: level === undefined ? undefined : (Number(level) as PermissionLevel),
  };
}

const YES = true;
const NO = false;
const catalogue = new CatalogueRanks([
  { ...parsePermissionCode('report:publish', 'iam')!, requiredLevel: 2 },
  { ...parsePermissionCode('role:delete', 'iam')!, requiredLevel: 1 },
]);

describe('GrantSet.allows', () => {
  it.each([
    // the same code
    ['role:read', 'role:read', YES],
    ['iam:role:read', 'role:read', YES],
    ['role:read', 'iam:role:read', YES],
    ['role:read', 'role:update', NO],
    ['role:update', 'role:read', NO],
    ['role:read', 'user:read', NO],
    ['user:update', 'profile:update', NO],
    ['profile:update', 'user:update', NO],
    // scopes
    ['a:role:read', 'a:role:read', YES],
    ['a:role:read', 'ab:role:read', NO],
    ['ab:role:read', 'a:role:read', NO],
    ['a:*:*', 'ab:role:read', NO],
    ['a:role:read', 'iam:role:read', NO],
    ['iam:*:*', 'shop:order:read', NO],
    ['iam:*:*', 'iam-2:role:read', NO],
    ['*:role:read', 'shop:role:read', YES],
    ['*:role:read', 'role:read', YES],
    ['*:role:read', 'shop:user:read', NO],
    ['*:*:*', 'shop:order:explode', YES],
    ['role:read', '*:role:read', NO],
    ['*:role:read', '*:role:read', YES],
    ['*:*', '*:role:read', NO],
    [':role:read', 'role:read', NO],
    [':role:*', 'role:read', NO],
    // resources
    ['*:read', 'role:read', YES],
    ['*:read', 'user:read', YES],
    ['*:read', 'role:update', NO],
    ['*:*', 'role:update', YES],
    ['*', 'role:update', YES],
    ['*', 'role:admin', YES],
    ['role:read', '*:read', NO],
    ['role:*', '*:read', NO],
    ['*:read', '*:read', YES],
    ['*:*', '*:read', YES],
    ['rol:*', 'role:read', NO],
    ['roles:*', 'role:read', NO],
    ['role:*', 'rol:read', NO],
    ['role:*', 'roles:read', NO],
    ['role-x:*', 'role:read', NO],
    // actions
    ['role:*', 'role:read', YES],
    ['role:*', 'role:grant', YES],
    ['role:*', 'role:admin', YES],
    ['role:*', 'role:explode', YES],
    ['role:*', 'role:*', YES],
    ['role:admin', 'role:read', YES],
    ['role:admin', 'role:grant', YES],
    ['role:admin', 'role:admin', YES],
    ['role:admin', 'role:explode', YES],
    ['role:admin', 'role:*', YES],
    ['role:admin', 'user:read', NO],
    ['*:admin', 'user:read', YES],
    ['role:grant', 'role:admin', NO],
    ['role:delete', 'role:*', NO],
    ['role:read', 'role:rea', NO],
    ['role:rea', 'role:read', NO],
    ['role:administrator', 'role:read', NO],
    // malformed or ambiguous texts
    ['role:', 'role:read', NO],
    ['role', 'role:read', NO],
    ['ROLE:*', 'role:read', NO],
    ['Role:read', 'role:read', NO],
    ['role:READ', 'role:read', NO],
    ['role:*:x', 'role:read', NO],
    ['role:*:x', 'role:x', NO],
    ['role:*:x', 'role:any:x', YES],
    ['iam:role:*:x', 'role:x', NO],
    ['role:read\n', 'role:read', NO],
    [' role:read', 'role:read', NO],
    ['role:**', 'role:read', NO],
    ['', 'role:read', NO],
    ['iam:*', 'role:read', NO],
    ['iam:*', 'iam:read', YES],
    // levels
    ['role:read@1', 'role:read', YES],
    ['role:read@1', 'role:read@1', YES],
    ['role:read@1', 'role:read@2', NO],
    ['role:read@2', 'role:read@2', YES],
    ['role:create@1', 'role:create', NO],
    ['role:create@2', 'role:create', YES],
    ['role:update@2', 'role:update', NO],
    ['role:update@3', 'role:update', YES],
    ['role:update@3', 'role:update@1', YES],
    ['role:update@2', 'role:update@1', NO],
    ['role:delete@3', 'role:delete', NO],
    ['role:delete@4', 'role:delete', YES],
    ['role:execute@4', 'role:execute', NO],
    ['role:execute@5', 'role:execute', YES],
    ['role:grant@5', 'role:grant', NO],
    ['role:grant@6', 'role:grant', YES],
    ['role:admin@6', 'role:admin', NO],
    ['role:admin@6', 'role:grant', YES],
    ['role:admin@1', 'role:read', YES],
    ['role:admin@1', 'role:update', NO],
    ['role:*@3', 'role:read', YES],
    ['role:*@3', 'role:update', YES],
    ['role:*@3', 'role:delete', NO],
    ['role:*@3', 'role:update@4', NO],
    ['role:*@6', 'role:*', NO],
    ['role:*@6', 'role:explode', NO],
    ['*:*:*@6', 'role:admin', NO],
    ['*:*:*@1', 'role:read', YES],
    // actions without a standard rank (the catalogue sets report:publish to 2)
    ['report:print@6', 'report:print', NO],
    ['report:print@7', 'report:print', YES],
    ['report:publish@1', 'report:publish', NO],
    ['report:publish@2', 'report:publish', YES],
    ['report:publish@2', 'report:publish@3', NO],
    ['report:*@2', 'report:publish', YES],
    ['*:publish@6', '*:publish', NO],
    ['*:publish@6', 'report:publish', YES],
    ['*:publish@6', 'order:publish', NO],
    ['role:delete@1', 'role:delete', NO],
  ])('with %j allows %j: %s', (held, asked, allowed) => {
    const grants = [grant(held)].filter((one) => one !== undefined);
    expect(new GrantSet(grants).allows(check(asked), catalogue)).toBe(allowed);
  });

  it.each([8, NaN, Infinity, '9'])('denies %p, which is no level of a grant', (level) => {
    const asked = { ...check('role:read'), level: level as PermissionLevel };
    expect(new GrantSet([everythingIn('*')]).allows(asked)).toBe(false);
  });
});

describe('GrantSet.missing', () => {
  it.each([
    ['role:read', 'role:read', YES],
    ['role:read@3', 'role:read@4', NO],
    ['role:read@4', 'role:read@3', YES],
    ['role:*', 'role:read', YES],
    ['role:read', 'role:*', NO],
    ['role:admin', 'role:read', YES],
    ['role:admin', 'role:*', YES],
    ['role:*', 'role:admin', YES],
    ['role:admin@3', 'role:*@4', NO],
    ['role:admin@3', 'role:update@3', YES],
    ['role:admin@3', 'role:update', NO],
    ['role:update', 'role:admin@1', NO],
    ['*:*', 'role:read', YES],
    ['role:*', '*:*', NO],
    ['*:*', '*:*:*', NO],
    ['*:*:*', '*:*', YES],
    ['*:*:*@6', '*:*@7', NO],
    ['a:*:*', 'ab:role:read@1', NO],
    ['rol:*', 'role:read@1', NO],
    ['user:update', 'profile:update@1', NO],
  ])('with %j covers %j: %s', (held, wanted, covered) => {
    expect(new GrantSet([grant(held)!]).missing([grant(wanted)!])).toEqual(covered ? [] : [grant(wanted)]);
  });
});

describe('grantFrom', () => {
  it('splits the stored form once and defaults to level 7', () => {
    expect(grantFrom('shop', 'order:read')).toEqual({
      scope: 'shop',
      resource: 'order',
      action: 'read',
      permissionId: 'order:read',
      level: 7,
    });
    expect(grantFrom('*', '*', 3)).toEqual({ scope: '*', resource: '*', action: '*', permissionId: '*:*', level: 3 });
  });

  it.each([
    ['', 'role:read', 1],
    ['*:*', 'role:read', 1],
    ['a:b', '*', 1],
    ['a', 'b:role:read', 1],
    ['a:role', 'read', 1],
    ['a', 'role:', 1],
    ['a', 'read', 1],
    ['a', 'role:read\n', 1],
    ['a', 'role:read', 0],
    ['a', 'role:read', 8],
    ['a', 'role:read', 2.5],
    ['a', 'role:read', NaN],
  ])('rejects scope %j, permission %j, level %s', (scope, permissionId, level) => {
    expect(grantFrom(scope, permissionId, level)).toBeUndefined();
  });
});

describe('mergeGrants', () => {
  it('keeps the highest level of each permission, sorted by scope, then permission in code-unit order', () => {
    const merged = mergeGrants(
      ['shop:b:read@2', 'b_c:read', 'b-c:read', 'shop:b:read@5', 'b:read@3', '*:z:read', 'bc:read'].map((text) =>
        grant(text)!,
      ),
    );
    expect(merged.map((one) => `${formatPermissionCode(one)}@${one.level}`)).toEqual([
      '*:z:read@7',
      'iam:b-c:read@7',
      'iam:b:read@3',
      'iam:b_c:read@7',
      'iam:bc:read@7',
      'shop:b:read@5',
    ]);
  });

  it('keeps a narrow grant next to a wider one', () => {
    expect(mergeGrants([everythingIn('iam'), grant('role:read@1')!])).toHaveLength(2);
  });
});
