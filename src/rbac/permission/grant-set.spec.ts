import { everythingIn, Grant, grantFrom, mergeGrants, PermissionCheck } from './grant';
import { GrantSet } from './grant-set';
import { PermissionLevel } from './permission-level';

const grant = (permissionId: string, level = 7, scope = 'iam'): Grant => grantFrom(scope, permissionId, level)!;
const check = (permissionId: string, level?: PermissionLevel, scope = 'iam'): PermissionCheck => ({
  ...grantFrom(scope, permissionId)!,
  level,
});

describe('GrantSet', () => {
  it('allows and covers nothing when empty, except nothing', () => {
    const none = new GrantSet([]);
    expect(none.allows(check('role:read'))).toBe(false);
    expect(none.missing([])).toEqual([]);
    expect(none.missing([grant('role:read', 1)])).toEqual([grant('role:read', 1)]);
    expect(none.toList()).toEqual([]);
  });

  it('names the most particular grant that allows', () => {
    const all = [
      grant('role:read', 1),
      grant('role:admin', 2),
      grant('role:*', 3),
      grant('*:read', 4),
      grant('role:read', 5, '*'),
      everythingIn('*'),
    ];
    const covering = (level: PermissionLevel): Grant | undefined =>
      new GrantSet(all).findCovering(check('role:read', level));
    expect(covering(1)).toEqual(grant('role:read', 1));
    expect(covering(2)).toEqual(grant('role:*', 3));
    expect(covering(4)).toEqual(grant('*:read', 4));
    expect(covering(5)).toEqual(grant('role:read', 5, '*'));
    expect(covering(6)).toEqual(everythingIn('*'));
  });

  it('falls to the stronger of admin and the wildcard, whichever it is', () => {
    expect(new GrantSet([grant('role:*', 2), grant('role:admin', 6)]).findCovering(check('role:grant'))).toEqual(
      grant('role:admin', 6),
    );
    expect(new GrantSet([grant('role:admin', 2), grant('role:*', 6)]).findCovering(check('role:grant'))).toEqual(
      grant('role:*', 6),
    );
  });

  it('does not add up grants that fall short one by one', () => {
    const pieces = new GrantSet([
      grant('role:update', 2),
      grant('role:read'),
      grant('user:update'),
      grant('role:*', 2),
    ]);
    expect(pieces.allows(check('role:update'))).toBe(false);
  });

  it('answers a name that objects inherit like any other', () => {
    const held = new GrantSet([grant('role:read')]);
    for (const name of ['constructor', '__proto__', 'tostring']) {
      expect(held.allows({ scope: name, resource: name, action: name })).toBe(false);
    }
  });

  it('covers many only where it covers each', () => {
    const held = new GrantSet([grant('role:*', 4), grant('user:read')]);
    const wanted = [
      grant('user:update'),
      grant('role:read', 4),
      grant('role:read', 5),
      grant('user:read'),
      grant('role:read', 1, '*'),
    ];
    const refused = [grant('user:update'), grant('role:read', 5), grant('role:read', 1, '*')];
    expect(wanted.filter((one) => held.missing([one]).length > 0)).toEqual(refused);
    expect(held.missing(wanted)).toEqual(mergeGrants(refused));
    expect(held.missing([grant('role:read', 4), grant('user:read')])).toEqual([]);
  });

  it('judges each check by the catalogue given with it', () => {
    const held = new GrantSet([grant('report:publish', 3)]);
    const asking = (requiredLevel: PermissionLevel): boolean =>
      held.allows(check('report:publish'), { requiredLevel: () => requiredLevel });
    expect([asking(7), asking(3), asking(7)]).toEqual([false, true, false]);
  });

  it('is not changed by what happens later to the list it was made from', () => {
    const source = [grant('role:read')];
    const held = new GrantSet(source);
    source.push(everythingIn('*'));
    expect(held.toList()).toEqual([grant('role:read')]);
    expect(held.allows(check('user:read'))).toBe(false);
  });
});

describe('GrantSet.closest', () => {
  it.each([
    { asked: check('role:update'), closest: grant('role:update', 3) },
    { asked: check('role:update', 1), closest: grant('role:update', 3) },
    { asked: check('role:update', 5), closest: grant('role:update', 5) },
    { asked: check('role:explode'), closest: grant('role:explode', 7) },
    { asked: check('*:update'), closest: grant('*:update', 3) },
    { asked: check('role:*'), closest: grant('role:*', 7) },
    { asked: check('user:read', 1, '*'), closest: grant('user:read', 1, '*') },
    { asked: check('role:read', 2), closest: grant('role:read', 2) },
  ])(
    '$asked.scope:$asked.permissionId at $asked.level -> $closest.permissionId at $closest.level',
    ({ asked, closest }) => {
      expect(new GrantSet([grant('role:read', 1)]).closest(asked)).toEqual(closest);
    },
  );

  it('is undefined for a check that is allowed', () => {
    expect(new GrantSet([grant('role:read')]).closest(check('role:read'))).toBeUndefined();
  });
});
