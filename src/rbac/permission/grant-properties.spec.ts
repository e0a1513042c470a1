import fc from 'fast-check';
import { CatalogueRanks } from './catalogue-ranks';
import { Grant, grantOf, mergeGrants, neededLevel, PermissionCheck } from './grant';
import { GrantSet } from './grant-set';
import { PermissionCode, WILDCARD } from './permission-code';
import { ADMIN_ACTION, PermissionLevel, RankSource } from './permission-level';

// Few names make parts match often, and names with a common beginning expose prefix matches.
const scopes = fc.constantFrom('a', 'ab', '*');
const resources = fc.constantFrom('role', 'rol', '*');
const actions = fc.constantFrom('read', 'update', 'grant', 'admin', 'publish', 'print', '*');
const levels: fc.Arbitrary<PermissionLevel> = fc.constantFrom<PermissionLevel[]>(1, 2, 3, 4, 5, 6, 7);
const codes = fc.record({ scope: scopes, resource: resources, action: actions });
const grants = fc.tuple(codes, levels).map(([code, level]) => grantOf(code, level));
const grantLists = fc.array(grants, { maxLength: 8 });
const checks: fc.Arbitrary<PermissionCheck> = fc
  .tuple(codes, fc.option(levels, { nil: undefined }))
  .map(([code, level]) => ({ ...code, level }));
const catalogues = fc
  .array(fc.tuple(codes, levels), { maxLength: 6 })
  .map((entries) => new CatalogueRanks(entries.map(([code, requiredLevel]) => ({ ...code, requiredLevel }))));
const runs = { numRuns: 2_000 };

/** Steps that widen a part of a grant or raise its level, because random pairs rarely cover each other. */
const widenings = fc.subarray(['scope', 'resource', 'action', 'admin', 'level'] as const);
const coveringPairs = fc.tuple(grants, widenings).map(([narrow, steps]): [Grant, Grant] => {
  const wide = {
    scope: steps.includes('scope') ? WILDCARD : narrow.scope,
    resource: steps.includes('resource') ? WILDCARD : narrow.resource,
    action: steps.includes('action') ? WILDCARD : steps.includes('admin') ? 'admin' : narrow.action,
  };
  return [grantOf(wide, steps.includes('level') ? 7 : narrow.level), narrow];
});
const chains = fc.tuple(coveringPairs, widenings).map(([[middle, narrow], steps]): [Grant, Grant, Grant] => {
  const wide = {
    ...middle,
    ...(steps.includes('scope') && { scope: WILDCARD }),
    ...(steps.includes('action') && { action: 'admin' }),
  };
  return [grantOf(wide, steps.includes('level') ? 7 : middle.level), middle, narrow];
});

/** Every check over the small set of names. */
const allChecks: PermissionCheck[] = ['a', 'ab', 'z', '*'].flatMap((scope) =>
  ['role', 'rol', 'z', '*'].flatMap((resource) =>
    ['read', 'update', 'grant', 'admin', 'publish', 'print', '*'].flatMap((action) =>
      ([undefined, 1, 2, 3, 4, 5, 6, 7] as const).map((level) => ({ scope, resource, action, level })),
    ),
  ),
);

const represents = (many: PermissionCode, one: PermissionCode): boolean =>
  (['scope', 'resource', 'action'] as const).every((part) => many[part] === WILDCARD || many[part] === one[part]);

// The rules implemented a second time by a linear scan, to compare the compiled set with.
const isEqualOrAll = (held: string, wanted: string): boolean => held === wanted || held === WILDCARD;
const reaches = (grant: Grant, code: PermissionCode): boolean =>
  isEqualOrAll(grant.scope, code.scope) &&
  isEqualOrAll(grant.resource, code.resource) &&
  (isEqualOrAll(grant.action, code.action) || grant.action === ADMIN_ACTION);
const coversCheck = (grant: Grant, check: PermissionCheck, catalogue?: RankSource): boolean =>
  reaches(grant, check) && grant.level >= neededLevel(check, catalogue);
const coversGrant = (held: Grant, wanted: Grant): boolean => reaches(held, wanted) && held.level >= wanted.level;

const mayHandOut = (held: Grant, wanted: Grant): boolean => new GrantSet([held]).missing([wanted]).length === 0;

describe('GrantSet', () => {
  it('agrees with a linear scan of the grants', () => {
    fc.assert(
      fc.property(grantLists, checks, catalogues, (held, check, catalogue) => {
        const set = new GrantSet(held);
        expect(set.allows(check, catalogue)).toBe(held.some((grant) => coversCheck(grant, check, catalogue)));
      }),
      runs,
    );
  });

  it('returns a held grant that allows the check', () => {
    fc.assert(
      fc.property(grantLists, checks, catalogues, (held, check, catalogue) => {
        const found = new GrantSet(held).findCovering(check, catalogue);
        if (!found) return;
        expect(held).toContainEqual(found);
        expect(coversCheck(found, check, catalogue)).toBe(true);
      }),
      runs,
    );
  });

  it('agrees with a linear scan on which grants are covered', () => {
    fc.assert(
      fc.property(grantLists, grantLists, (held, wanted) => {
        const set = new GrantSet(held);
        const missing = wanted.filter((one) => !held.some((grant) => coversGrant(grant, one)));
        expect(wanted.filter((one) => set.missing([one]).length > 0)).toEqual(missing);
        expect(set.missing(wanted).length === 0).toBe(missing.length === 0);
      }),
      runs,
    );
  });

  it('keeps allowing a check when a grant is added', () => {
    fc.assert(
      fc.property(grantLists, grants, checks, catalogues, (held, added, check, catalogue) => {
        fc.pre(new GrantSet(held).allows(check, catalogue));
        expect(new GrantSet([...held, added]).allows(check, catalogue)).toBe(true);
      }),
      runs,
    );
  });

  it('allows every check that an allowed wildcard check includes', () => {
    fc.assert(
      fc.property(grantLists, checks, checks, catalogues, (held, many, other, catalogue) => {
        const one = { ...other, level: many.level };
        fc.pre(represents(many, one));
        const set = new GrantSet(held);
        if (set.allows(many, catalogue)) expect(set.allows(one, catalogue)).toBe(true);
      }),
      runs,
    );
  });

  it('allows a denied check once the closest grant is added, and no smaller grant suffices', () => {
    fc.assert(
      fc.property(grantLists, grants, checks, catalogues, (held, other, check, catalogue) => {
        const set = new GrantSet(held);
        const closest = set.closest(check, catalogue);
        expect(closest === undefined).toBe(set.allows(check, catalogue));
        if (!closest) return;
        expect(new GrantSet([...held, closest]).allows(check, catalogue)).toBe(true);
        if (coversCheck(other, check, catalogue)) expect(coversGrant(other, closest)).toBe(true);
      }),
      runs,
    );
  });

  it('covers its own list', () => {
    fc.assert(
      fc.property(grantLists, (held) => {
        const set = new GrantSet(held);
        expect(set.missing(set.toList())).toEqual([]);
        expect(set.missing(held)).toEqual([]);
      }),
    );
  });
});

describe('GrantSet.missing', () => {
  it('is sound: a covering grant allows all that a covered grant allows, under any catalogue', () => {
    fc.assert(
      fc.property(fc.oneof(coveringPairs, fc.tuple(grants, grants)), catalogues, ([held, wanted], catalogue) => {
        fc.pre(mayHandOut(held, wanted));
        const lost = allChecks.filter(
          (check) => coversCheck(wanted, check, catalogue) && !coversCheck(held, check, catalogue),
        );
        expect(lost).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('is complete: an uncovered grant allows a check that the other denies, under some catalogue', () => {
    fc.assert(
      fc.property(grants, grants, (held, wanted) => {
        fc.pre(!mayHandOut(held, wanted));
        const lowest = { requiredLevel: () => 1 as const };
        const gained = [...allChecks, { ...wanted }].some(
          (check) => coversCheck(wanted, check, lowest) && !coversCheck(held, check, lowest),
        );
        const allowsNothing = !allChecks.some((check) => coversCheck(wanted, check, lowest));
        expect(gained || allowsNothing).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('reports nothing for a widened grant', () => {
    fc.assert(
      fc.property(coveringPairs, ([wide, narrow]) => {
        expect(mayHandOut(wide, narrow)).toBe(true);
      }),
      runs,
    );
  });

  it('is reflexive', () => {
    fc.assert(
      fc.property(grants, (grant) => {
        expect(mayHandOut(grant, grant)).toBe(true);
      }),
    );
  });

  it('is transitive', () => {
    fc.assert(
      fc.property(fc.oneof(chains, fc.tuple(grants, grants, grants)), ([wide, middle, narrow]) => {
        fc.pre(mayHandOut(wide, middle) && mayHandOut(middle, narrow));
        expect(mayHandOut(wide, narrow)).toBe(true);
      }),
      runs,
    );
  });
});

describe('mergeGrants', () => {
  it('is idempotent', () => {
    fc.assert(
      fc.property(grantLists, (held) => {
        expect(mergeGrants(mergeGrants(held))).toEqual(mergeGrants(held));
      }),
    );
  });

  it('does not depend on order or grouping', () => {
    const shuffled = grantLists.chain((held) =>
      fc.tuple(fc.constant(held), fc.shuffledSubarray(held, { minLength: held.length }), fc.nat(held.length)),
    );
    fc.assert(
      fc.property(shuffled, ([held, other, cut]) => {
        expect(mergeGrants(other)).toEqual(mergeGrants(held));
        expect(mergeGrants([...mergeGrants(held.slice(0, cut)), ...held.slice(cut)])).toEqual(mergeGrants(held));
      }),
    );
  });

  it('keeps the result of every check', () => {
    fc.assert(
      fc.property(grantLists, checks, catalogues, (held, check, catalogue) => {
        const before = held.some((grant) => coversCheck(grant, check, catalogue));
        expect(mergeGrants(held).some((grant) => coversCheck(grant, check, catalogue))).toBe(before);
      }),
      runs,
    );
  });
});
