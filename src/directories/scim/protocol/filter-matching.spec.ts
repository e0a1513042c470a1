import fc from 'fast-check';
import { ATTRIBUTES, ENTERPRISE, userType } from '../../../../test/support/directories/scim';
import { pathText } from './attribute-path';
import { comparisonOperators, parseFilter } from './filter';
import { matchesFilter } from './filter-matching';
import { ScimError } from './scim-error';

const ann = {
  id: 'A1',
  externalId: 'Ext-1',
  userName: 'Ann@Example.com',
  name: { givenName: 'Ann', familyName: '' },
  active: false,
  emails: [
    { value: 'ann@corp.example', type: 'work', primary: true },
    { value: 'ann@home.example', type: 'home' },
  ],
  photos: [],
  addresses: [{ locality: 'Basel' }],
  meta: { lastModified: '2026-03-01T10:00:00.5+02:00' },
  [ENTERPRISE]: { department: 'Sales', manager: { value: 'B2' } },
  [ATTRIBUTES]: { level: 7, teams: ['red', 'blue'] },
};

describe('matchesFilter', () => {
  it.each([
    ['userName eq "ann@example.COM"', true],
    ['userName ne "ann@example.COM"', false],
    ['id eq "a1"', false],
    ['id eq "A1"', true],
    ['externalId eq "ext-1"', false],
    ['userName co "@EXAMPLE"', true],
    ['userName sw "ANN"', true],
    ['userName ew ".com"', true],
    ['userName ew "ann"', false],
    ['userName gt "ann"', true],
    ['userName lt "ann"', false],
    ['userName ge "ANN@example.com"', true],
    ['userName le "ANN@example.com"', true],
    ['active eq false', true],
    ['active ne true', true],
    ['active pr', true],
    ['title pr', false],
    ['title eq null', true],
    ['title ne "x"', true],
    ['title eq ""', false],
    ['not (title eq "x")', true],
    ['name pr', true],
    ['name.familyName pr', false],
    ['photos pr', false],
    ['addresses pr', true],
    ['addresses[locality eq "basel"]', true],
    ['emails eq "ann@home.example"', true],
    ['emails.type eq "home"', true],
    ['emails.type ne "home"', true],
    ['photos.type ne "home"', true],
    ['emails[type eq "work" and value ew "home.example"]', false],
    ['emails.type eq "work" and emails.value ew "home.example"', true],
    ['emails[not (type eq "work")]', true],
    ['photos[not (type eq "work")]', false],
    ['emails[primary eq true]', true],
    ['meta.lastModified eq "2026-03-01T08:00:00.500Z"', true],
    ['meta.lastModified gt "2026-03-01T08:00:00Z"', true],
    ['meta.lastModified lt "2026-03-01T09:00:00Z"', true],
    [`${ENTERPRISE}:department eq "sales"`, true],
    [`${ENTERPRISE}:manager eq "B2"`, true],
    [`${ENTERPRISE}:manager[value eq "B2"]`, true],
    [`${ATTRIBUTES}:level gt 6.5`, true],
    [`${ATTRIBUTES}:level le 6.5`, false],
    [`${ATTRIBUTES}:teams eq "BLUE"`, true],
    [`${ATTRIBUTES}:teams[value sw "r"]`, true],
    [`${ATTRIBUTES}:constructor pr`, false],
    ['userName sw "x" or active eq true or id pr', true],
    ['userName sw "a" and active eq true and id pr', false],
  ])('of %s is %s', (filter, expected) => {
    expect(matchesFilter(parseFilter(filter, userType), ann)).toBe(expected);
  });

  it.each([[null], [undefined], ['text'], [[]], [{ name: 'text', emails: { value: 'x' }, meta: [] }]])(
    'finds nothing in %j, which has another shape',
    (record) => {
      for (const filter of ['name.givenName eq "x"', 'meta.created gt "2026-03-01T08:00:00Z"', 'id pr']) {
        expect(matchesFilter(parseFilter(filter, userType), record)).toBe(false);
      }
    },
  );
});

/** A condition with the answer for the resource, told without the parser and the evaluator. */
interface Case {
  readonly filter: string;
  readonly expected: boolean;
}

const values = ['', 'a', 'B', 'ab', 'Ba', 'é', '"\\', 'z\n'];
const resource = { displayName: 'Ba', nickName: '"\\' };
const naive: Readonly<Record<(typeof comparisonOperators)[number], (value: string, operand: string) => boolean>> = {
  eq: (value, operand) => value === operand,
  ne: (value, operand) => value !== operand,
  co: (value, operand) => value.split(operand).length > 1 || operand === '',
  sw: (value, operand) => value.slice(0, operand.length) === operand,
  ew: (value, operand) => operand === '' || value.slice(-operand.length) === operand,
  gt: (value, operand) => value > operand,
  ge: (value, operand) => value >= operand,
  lt: (value, operand) => value < operand,
  le: (value, operand) => value <= operand,
};

const condition: fc.Arbitrary<Case> = fc
  .record({
    name: fc.constantFrom('displayName', 'nickName', 'title'),
    operator: fc.constantFrom(...comparisonOperators),
    operand: fc.constantFrom(...values),
    isUpper: fc.boolean(),
  })
  .map(({ name, operator, operand, isUpper }) => {
    const value = (resource as Record<string, string>)[name];
    const written = `${name} ${operator}`;
    return {
      filter: `${isUpper ? written.toUpperCase() : written} ${JSON.stringify(operand)}`,
      expected: value ? naive[operator](value.toLowerCase(), operand.toLowerCase()) : operator === 'ne',
    };
  });

const { node: anyCase } = fc.letrec<{ node: Case }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 6 },
    condition,
    tie('node').map(({ filter, expected }) => ({ filter: `not (${filter})`, expected: !expected })),
    fc.tuple(tie('node'), tie('node')).map(([one, other]) => ({
      filter: `(${one.filter}) and (${other.filter})`,
      expected: one.expected && other.expected,
    })),
    fc.tuple(tie('node'), tie('node')).map(([one, other]) => ({
      filter: `(${one.filter} ) OR( ${other.filter})`,
      expected: one.expected || other.expected,
    })),
  ),
}));

describe('parseFilter and matchesFilter', () => {
  it('agree with a naive evaluation of generated filters', () => {
    fc.assert(
      fc.property(anyCase, ({ filter, expected }) => {
        fc.pre(filter.length < 8_000);
        expect({ filter, matches: matchesFilter(parseFilter(filter, userType), resource) }).toEqual({
          filter,
          matches: expected,
        });
      }),
      { numRuns: 500 },
    );
  });

  it('throw ScimError alone, for any text', () => {
    const pieces = [
      'userName',
      'emails',
      '[',
      ']',
      '(',
      ')',
      'and',
      'or',
      'not',
      'eq',
      'pr',
      ' ',
      '"a"',
      '\\',
      '.',
      ':',
    ];
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (filter) => {
        try {
          matchesFilter(parseFilter(filter, userType), ann);
        } catch (error) {
          expect(error).toBeInstanceOf(ScimError);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('keep the name of an attribute', () => {
    const filter = parseFilter('EMAILS.TYPE pr', userType);
    expect(filter.kind === 'present' && pathText(filter.path)).toBe('emails.type');
  });
});
