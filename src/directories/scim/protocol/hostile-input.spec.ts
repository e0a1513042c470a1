import fc from 'fast-check';
import { ATTRIBUTES, ENTERPRISE, scimErrorOf, userType } from '../../../../test/support/directories/scim';
import { groupResourceType } from './group-schema';
import { parseFilter } from './filter';
import { matchesFilter } from './filter-matching';
import { applyPatch, readPatch } from './patch';
import { parsePatchPath } from './patch-path';
import { parseProjection, projectResource } from './projection';
import { readResource } from './resource';
import { ScimResource } from './schema';
import { ScimError } from './scim-error';

/** What the act returns, or undefined after a ScimError. Any other error fails the test. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
    expect(error.detail.length).toBeLessThan(1_000);
    return undefined;
  }
}

const names = fc.constantFrom(
  'userName',
  'USERNAME',
  'active',
  'name',
  'name.givenName',
  'givenName',
  'emails',
  'emails[type eq "work"].value',
  'emails[value pr].primary',
  'members',
  'value',
  'type',
  'primary',
  '$ref',
  'addresses',
  'x509Certificates',
  'groups',
  'id',
  'meta',
  'schemas',
  'password',
  ENTERPRISE,
  `${ENTERPRISE}:manager`,
  ATTRIBUTES,
  'level',
  'teams',
  `${ATTRIBUTES}:teams[value sw "r"]`,
  `${ATTRIBUTES}:constructor`,
  'constructor',
  '__proto__',
  'toString',
  '',
);
const simple = fc.constantFrom<unknown>(null, true, false, 'True', '', 'work', 'a\0', '\ud800', 0, -1.5, 1e300, '7');
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    simple,
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(names, tie('value')), { maxLength: 6 })
      // As JSON.parse makes them: `__proto__` is a member like any other.
      .map((members): unknown => JSON.parse(`{${members.map(written).join(',')}}`)),
  ),
}));
const written = ([name, value]: [string, unknown]): string => `${JSON.stringify(name)}:${JSON.stringify(value)}`;

const paths = fc.constantFrom(
  'title',
  'active',
  'name.givenName',
  'emails',
  'emails[type eq "home"].value',
  'emails[value pr].display',
  ENTERPRISE,
  `${ENTERPRISE}:manager`,
  `${ATTRIBUTES}:teams`,
  `${ATTRIBUTES}:level`,
);
const plausible = fc.constantFrom<unknown>(
  'work',
  'True',
  '7',
  ['red', 'RED'],
  { value: 'x', primary: true },
  {},
  null,
);
const anyOperation = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace', 'remove'), path: paths, value: plausible }),
  fc.record(
    {
      op: fc.constantFrom('add', 'Replace', 'REMOVE', 'move'),
      path: fc.oneof(names, fc.constantFrom<unknown>(null, 7, 'emails[type eq')),
      value: anyValue,
    },
    { requiredKeys: ['op'] },
  ),
);

const user: ScimResource = {
  id: 'u1',
  userName: 'ann',
  emails: [{ value: 'a@x.example', type: 'work', primary: true }],
  [ATTRIBUTES]: { teams: ['red'] },
};
const types = [userType, groupResourceType];

describe('what a client sends', () => {
  it('becomes a resource that reads back as itself, or a ScimError', () => {
    let read = 0;
    fc.assert(
      fc.property(anyValue, fc.constantFrom(...types), (input, type) => {
        const required = { userName: 'ann', displayName: 'Sales' };
        const resource = attempt(() => readResource({ ...required, ...(input as object) }, type));
        attempt(() => readResource(input, type));
        if (!resource) return;
        read += 1;
        expect(readResource(resource, type)).toEqual(resource);
        const shown = projectResource({ id: '1', ...resource }, type, parseProjection(undefined, undefined, type));
        expect(readResource(shown, type)).toEqual(resource);
      }),
      { numRuns: 1_000 },
    );
    expect(read).toBeGreaterThan(100);
  });

  it('patches to what a PUT could have, or a ScimError', () => {
    let applied = 0;
    fc.assert(
      fc.property(fc.array(anyOperation, { maxLength: 4 }), (operations) => {
        const before = structuredClone(user);
        const after = attempt(() => applyPatch(user, readPatch({ Operations: operations }), userType));
        expect(user).toEqual(before);
        if (!after) return;
        applied += 1;
        expect({ id: 'u1', ...readResource(after, userType) }).toEqual(after);
      }),
      { numRuns: 3_000 },
    );
    expect(applied).toBeGreaterThan(300);
  });

  it('patches to the same when it is sent twice', () => {
    fc.assert(
      fc.property(anyOperation, (operation) => {
        const apply = (resource: ScimResource): ScimResource | undefined =>
          attempt(() => applyPatch(resource, readPatch({ Operations: [operation] }), userType));
        const once = apply(user);
        const twice = once && apply(once);
        if (twice) expect(twice).toEqual(once);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is read as paths and projections, or is a ScimError', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.tuple(names, fc.string()).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, fc.constantFrom(...types), (text, type) => {
        attempt(() => parsePatchPath(text, type));
        attempt(() => parseProjection(text, undefined, type));
      }),
      { numRuns: 2_000 },
    );
  });
});

const MEBIBYTE = 1_048_576;
const repeated = (unit: string): string => unit.repeat(Math.floor(MEBIBYTE / unit.length));

/** Far above what it takes, and far below what quadratic work takes. */
const MAX_MS = 2_000;

function msOf(act: () => unknown): number {
  const start = performance.now();
  act();
  return performance.now() - start;
}

describe('a mebibyte', () => {
  it.each([
    ['brackets', repeated('(')],
    ['negations', repeated('not (')],
    ['conditions', repeated('a pr or ')],
    ['a text', `title eq "${repeated('\\"')}`],
    ['a name', repeated('a.')],
    ['spaces', repeated(' ')],
  ])('of %s is rejected in time', (_, text) => {
    const acts = [
      () => scimErrorOf(() => parseFilter(text, userType)),
      () => scimErrorOf(() => parsePatchPath(text, userType)),
      () => attempt(() => parseProjection(text, undefined, userType)),
      () => scimErrorOf(() => applyPatch(user, readPatch({ Operations: [{ op: 'remove', path: text }] }), userType)),
    ];
    for (const act of acts) expect(msOf(act)).toBeLessThan(MAX_MS);
  });

  it.each<[string, () => unknown]>([
    [
      'nested lists',
      () => ({ userName: 'ann', title: JSON.parse('['.repeat(500_000) + ']'.repeat(500_000)) as unknown }),
    ],
    ['nested objects', () => JSON.parse(`${'{"name":'.repeat(120_000)}1${'}'.repeat(120_000)}`) as unknown],
    ['unknown names', () => ({ userName: 'ann', ...numbered(60_000) })],
    ['values', () => ({ userName: 'ann', emails: Object.keys(numbered(60_000)) })],
  ])('of %s is read in time', (_, body) => {
    const input = body();
    expect(msOf(() => attempt(() => readResource(input, userType)))).toBeLessThan(MAX_MS);
    const operations = [{ op: 'replace', value: input }];
    expect(msOf(() => attempt(() => applyPatch(user, readPatch({ Operations: operations }), userType)))).toBeLessThan(
      MAX_MS,
    );
  });

  it('of members is added and removed in time', () => {
    const members = Object.keys(numbered(30_000)).map((value) => ({ value }));
    const group = { displayName: 'All', members };
    const single = members.slice(0, 500).flatMap(({ value }) => [
      { op: 'remove', path: `members[value eq "${value}"]` },
      { op: 'add', path: 'members', value: [{ value: `new-${value}` }] },
    ]);
    const apply = (operations: object[]) => (): ScimResource =>
      applyPatch(group, readPatch({ Operations: operations }), groupResourceType);
    expect(msOf(apply(single))).toBeLessThan(MAX_MS);
    expect(msOf(apply([{ op: 'remove', path: 'members', value: members }]))).toBeLessThan(MAX_MS);
    expect(apply(single)()['members']).toHaveLength(30_000);
    expect(apply([{ op: 'remove', path: 'members', value: members }])()).toEqual({ displayName: 'All' });
  });

  it('of conditions on members is rejected in time', () => {
    const members = Object.keys(numbered(30_000)).map((value) => ({ value }));
    const path = `members[${Array.from({ length: 40 }, () => 'value co "z"').join(' or ')}]`;
    const operations = Array.from({ length: 1_000 }, () => ({ op: 'remove', path }));
    const apply = (): ScimResource =>
      applyPatch({ displayName: 'All', members }, readPatch({ Operations: operations }), groupResourceType);
    const start = performance.now();
    expect(scimErrorOf(apply)).toMatchObject({ status: 413 });
    expect(performance.now() - start).toBeLessThan(MAX_MS);
  });

  it('of a filter matches in time', () => {
    const filter = parseFilter(`title co "${'a'.repeat(8_000)}b"`, userType);
    expect(msOf(() => matchesFilter(filter, { title: 'a'.repeat(MEBIBYTE) }))).toBeLessThan(MAX_MS);
  });
});

const numbered = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`member-${index}`, index]));
