import { everythingIn, Grant, grantFrom, mergeGrants, PermissionCheck } from './grant';
import { GrantSet } from './grant-set';
import { PermissionLevel } from './permission-level';

const grant = (permissionId: string, level = 7, scope = 'iam'): Grant => grantFrom(scope, permissionId, level)!;
const check = (permissionId: string, level?: PermissionLevel, scope = 'iam'): PermissionCheck => ({
  ...grantFrom(scope, permissionId)!,
  level,
});

describe('GrantSet', () => {
  it('allows and covers nothing when empty, except an empty list', () => {
    const none = new GrantSet([]);
    expect(none.allows(check('role:read'))).toBe(false);
    expect(none.missing([])).toEqual([]);
    expect(none.missing([grant('role:read', 1)])).toEqual([grant('role:read', 1)]);
    expect(none.toList()).toEqual([]);
  });

  it('finds the most specific grant that allows a check', () => {
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

  it('prefers the higher level of admin and the wildcard', () => {
    expect(new GrantSet([grant('role:*', 2), grant('role:admin', 6)]).findCovering(check('role:grant'))).toEqual(
      grant('role:admin', 6),
    );
    expect(new GrantSet([grant('role:admin', 2), grant('role:*', 6)]).findCovering(check('role:grant'))).toEqual(
      grant('role:*', 6),
    );
  });

  it('names the wildcard where admin has the same level, whatever their order', () => {
    for (const both of [
      ['role:*', 'role:admin'],
      ['role:admin', 'role:*'],
    ]) {
      const held = new GrantSet(both.map((permissionId) => grant(permissionId, 6)));
      expect(held.findCovering(check('role:grant'))).toEqual(grant('role:*', 6));
    }
  });

  it('does not combine grants that are each too small', () => {
    const pieces = new GrantSet([
      grant('role:update', 2),
      grant('role:read'),
      grant('user:update'),
      grant('role:*', 2),
    ]);
    expect(pieces.allows(check('role:update'))).toBe(false);
  });

  it('denies names that objects inherit', () => {
    const held = new GrantSet([grant('role:read')]);
    for (const name of ['constructor', '__proto__', 'tostring']) {
      expect(held.allows({ scope: name, resource: name, action: name })).toBe(false);
    }
  });

  it('covers a list only when it covers each grant', () => {
    const held = new GrantSet([grant('role:*', 4), grant('user:read')]);
    const wanted = [
      grant('user:update'),
      grant('role:read', 4),
      grant('role:read', 5),
      grant('user:read'),
      grant('role:read', 1, '*'),
    ];
    const uncovered = [grant('user:update'), grant('role:read', 5), grant('role:read', 1, '*')];
    expect(wanted.filter((one) => held.missing([one]).length > 0)).toEqual(uncovered);
    expect(held.missing(wanted)).toEqual(mergeGrants(uncovered));
    expect(held.missing([grant('role:read', 4), grant('user:read')])).toEqual([]);
  });

  it('evaluates each check with the catalogue passed to it', () => {
    const held = new GrantSet([grant('report:publish', 3)]);
    const asking = (requiredLevel: PermissionLevel): boolean =>
      held.allows(check('report:publish'), { requiredLevel: () => requiredLevel });
    expect([asking(7), asking(3), asking(7)]).toEqual([false, true, false]);
  });

  it('does not change with the list it was created from', () => {
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
    'returns $closest.permissionId at $closest.level for $asked.scope:$asked.permissionId at $asked.level',
    ({ asked, closest }) => {
      expect(new GrantSet([grant('role:read', 1)]).closest(asked)).toEqual(closest);
    },
  );

  it('returns undefined for an allowed check', () => {
    expect(new GrantSet([grant('role:read')]).closest(check('role:read'))).toBeUndefined();
  });
});
