import {
  ATTRIBUTES,
  membersOf,
  na,
  patchedGroup,
  patchedUser,
  sales,
  scimErrorOf,
} from '../../../../test/support/directories/scim';
import { ScimResource } from './schema';

const ofUser = (...operations: object[]): ScimResource => patchedUser(na, ...operations);
const ofGroup = (...operations: object[]): ScimResource => patchedGroup(sales, ...operations);

describe('applyPatch to a list', () => {
  it.each([
    ['a member that is missing', { op: 'remove', path: 'members[value eq "x"]' }, 'abc'],
    ['another of its values', { op: 'remove', path: 'members[value eq "A"]' }, 'abc'],
    ['two by a filter', { op: 'remove', path: 'members[value eq "a" or value eq "c"]' }, 'b'],
    ['all', { op: 'remove', path: 'members' }, ''],
    ['the list by another', { op: 'replace', path: 'members', value: [{ value: 'c' }, { value: 'z' }] }, 'cz'],
    ['the list by an empty one', { op: 'replace', path: 'members', value: [] }, ''],
    ['a member twice', { op: 'add', path: 'members', value: [{ value: 'd' }, { value: 'd' }] }, 'abcd'],
    ['one that a filter names', { op: 'replace', path: 'members[value eq "d"]', value: { type: 'User' } }, 'abcd'],
  ])('removes, replaces or adds %s', (_, operation, expected) => {
    expect(membersOf(ofGroup(operation))).toBe(expected);
  });

  it.each<[string, object, object[]]>([
    ['replaces all', { op: 'replace', path: 'emails', value: { value: 'x@x.example' } }, [{ value: 'x@x.example' }]],
    [
      'adds one that is primary',
      { op: 'add', path: 'emails', value: [{ value: 'x@x.example', primary: 'True' }] },
      [
        { value: 'li.na@corp.example', type: 'work', primary: false },
        { value: 'na@home.example', type: 'home' },
        { value: 'x@x.example', primary: true },
      ],
    ],
    [
      'makes another one primary',
      { op: 'replace', path: 'emails[type eq "home"].primary', value: true },
      [
        { value: 'li.na@corp.example', type: 'work', primary: false },
        { value: 'na@home.example', type: 'home', primary: true },
      ],
    ],
    [
      'merges members of one that is there',
      { op: 'add', path: 'emails', value: [{ value: 'NA@home.example', type: 'home', display: 'Na' }] },
      [
        { value: 'li.na@corp.example', type: 'work', primary: true },
        { value: 'NA@home.example', type: 'home', display: 'Na' },
      ],
    ],
    [
      'changes those that a filter finds',
      { op: 'replace', path: 'emails[value co "@"]', value: { display: 'both' } },
      [
        { value: 'li.na@corp.example', type: 'work', primary: true, display: 'both' },
        { value: 'na@home.example', type: 'home', display: 'both' },
      ],
    ],
    [
      'changes all without a filter',
      { op: 'replace', path: 'emails.type', value: 'other' },
      [
        { value: 'li.na@corp.example', type: 'other', primary: true },
        { value: 'na@home.example', type: 'other' },
      ],
    ],
    [
      'removes those that a filter finds',
      { op: 'remove', path: 'emails[type eq "work"]' },
      [{ value: 'na@home.example', type: 'home' }],
    ],
    [
      'removes those whose value is removed',
      { op: 'remove', path: 'emails[type eq "work"].value' },
      [{ value: 'na@home.example', type: 'home' }],
    ],
    [
      'removes those whose value is replaced by null',
      { op: 'replace', path: 'emails[type eq "work"].value', value: null },
      [{ value: 'na@home.example', type: 'home' }],
    ],
    [
      'removes by value and type',
      {
        op: 'remove',
        path: 'emails',
        value: [
          { value: 'na@home.example', type: 'home' },
          { value: 'li.na@corp.example', type: 'home' },
        ],
      },
      [{ value: 'li.na@corp.example', type: 'work', primary: true }],
    ],
    [
      'removes by value alone',
      { op: 'remove', path: 'emails', value: [{ value: 'na@home.example' }] },
      [{ value: 'li.na@corp.example', type: 'work', primary: true }],
    ],
    [
      'makes what a filter names',
      { op: 'replace', path: 'emails[type eq "other" and primary eq true].value', value: 'o@x.example' },
      [
        { value: 'li.na@corp.example', type: 'work', primary: false },
        { value: 'na@home.example', type: 'home' },
        { type: 'other', primary: true, value: 'o@x.example' },
      ],
    ],
  ])('%s in a list', (_, operation, expected) => {
    expect(ofUser(operation)['emails']).toEqual(expected);
  });

  it('changes lists of texts', () => {
    const teams = { ...na, [ATTRIBUTES]: { teams: ['red', 'blue'] } };
    const after = (...operations: object[]): unknown =>
      (patchedUser(teams, ...operations)[ATTRIBUTES] as { teams?: string[] } | undefined)?.teams;
    const path = `${ATTRIBUTES}:teams`;
    expect(after({ op: 'add', path, value: ['RED', 'green'] })).toEqual(['RED', 'blue', 'green']);
    expect(after({ op: 'remove', path: `${path}[value eq "blue"]` })).toEqual(['red']);
    expect(after({ op: 'replace', path: `${path}[value eq "blue"]`, value: 'black' })).toEqual(['red', 'black']);
    expect(after({ op: 'remove', path, value: ['blue'] })).toEqual(['red']);
    expect(after({ op: 'remove', path, value: [{ value: 'blue' }] })).toEqual(['red']);
    expect(after({ op: 'remove', path })).toBeUndefined();
  });

  it('tells elements without a value apart by all they have', () => {
    const address = { type: 'work', locality: 'Basel' };
    const [one, two] = [
      { op: 'add', path: 'addresses', value: [address] },
      {
        op: 'add',
        path: 'addresses',
        value: [
          { locality: 'Bern', type: 'work' },
          { locality: 'basel', type: 'work' },
        ],
      },
    ];
    expect(ofUser(one, two)['addresses']).toEqual([
      { type: 'work', locality: 'basel' },
      { type: 'work', locality: 'Bern' },
    ]);
    expect(ofUser(one, { op: 'remove', path: 'addresses[type eq "work"].locality' })['addresses']).toBeUndefined();
  });

  it.each([
    { path: 'emails[type eq "other"].value', value: null },
    { path: 'emails[type eq "other"].value', value: [] },
    { path: 'emails[type eq "other"]', value: null },
    { path: 'emails[type eq "other"]', value: {} },
  ])('makes no element for $path of $value', ({ path, value }) => {
    expect(ofUser({ op: 'replace', path, value })).toEqual(na);
  });

  it('keeps an element that never had a value, until it has nothing', () => {
    const add = { op: 'add', path: 'emails[type eq "other"].display', value: 'Other' };
    const without = { op: 'remove', path: 'emails[type eq "other"].display' };
    const ofType = { op: 'remove', path: 'emails[type eq "other"].type' };
    expect((ofUser(add, add)['emails'] as object[])[2]).toEqual({ type: 'other', display: 'Other' });
    expect((ofUser(add, without)['emails'] as object[])[2]).toEqual({ type: 'other' });
    expect(ofUser(add, without, ofType)).toEqual(na);
  });

  it('sees what earlier operations did', () => {
    expect(
      membersOf(
        ofGroup(
          { op: 'add', path: 'members', value: [{ value: 'd' }] },
          { op: 'remove', path: 'members[value eq "d"]' },
          { op: 'remove', path: 'members[value sw "a"]' },
          { op: 'add', path: 'members', value: [{ value: 'a' }] },
        ),
      ),
    ).toBe('bca');
  });

  it('rejects other ids for members', () => {
    const path = 'members[value eq "a"].value';
    expect(scimErrorOf(() => ofGroup({ op: 'replace', path, value: 'z' })).scimType).toBe('mutability');
    expect(scimErrorOf(() => ofGroup({ op: 'remove', path })).scimType).toBe('mutability');
    expect(ofGroup({ op: 'replace', path, value: 'a' })).toEqual(sales);
  });
});
