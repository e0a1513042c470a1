import fc from 'fast-check';
import { filterCondition, FilterColumns, sortExpression } from '../../src/directories/scim/scim-filter.repository';
import { matchesFilter, parseFilter, readListQuery, ScimResource } from '../../src/directories/scim/protocol';
import { ATTRIBUTES, ENTERPRISE, scimErrorOf, userType } from '../support/directories/scim';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

const texts = ['a', 'B', 'ab', 'Ba_', '%', '\\', "'", '', 'é', 'Z'];
const users: readonly ScimResource[] = [
  { id: '0', userName: 'a' },
  { id: '1', userName: 'Ba_', externalId: 'a', name: { givenName: 'ab' }, active: true },
  {
    id: '2',
    userName: 'AB',
    externalId: 'A',
    title: '',
    active: false,
    emails: [{ value: 'a', type: 'B' }, { value: "'" }],
    meta: { lastModified: '2026-03-01T08:00:00.500Z' },
    [ENTERPRISE]: { manager: { value: 'Ba_' } },
    [ATTRIBUTES]: { level: 7, teams: ['a', 'Z'] },
  },
  {
    id: '3',
    userName: '%\\',
    title: '%',
    name: { givenName: 'é', familyName: 'B' },
    emails: [{ value: 'ab', type: 'a', primary: true }],
    meta: { lastModified: '2026-03-02T08:00:00.000Z' },
    [ENTERPRISE]: { manager: { value: 'a' } },
    [ATTRIBUTES]: { level: -1.5, teams: ['B'] },
  },
];

const some =
  (list: string) =>
  (condition: string): string =>
    `EXISTS (SELECT 1 FROM jsonb_array_elements(${list}) AS element WHERE ${condition})`;

const columns: FilterColumns = new Map<
  string,
  string | { some: (condition: string) => string; columns: Map<string, string> }
>([
  ['id', `resource->>'id'`],
  ['externalId', `resource->>'externalId'`],
  ['userName', `resource->>'userName'`],
  ['title', `resource->>'title'`],
  ['name.givenName', `resource #>> '{name,givenName}'`],
  ['name.familyName', `resource #>> '{name,familyName}'`],
  ['active', `(resource->>'active')::boolean`],
  ['meta.lastModified', `(resource #>> '{meta,lastModified}')::timestamptz`],
  [`${ENTERPRISE}:manager.value`, `resource #>> '{${ENTERPRISE},manager,value}'`],
  [`${ATTRIBUTES}:level`, `(resource #>> '{${ATTRIBUTES},level}')::numeric`],
  [
    'emails',
    {
      some: some(`resource->'emails'`),
      columns: new Map([
        ['value', `element->>'value'`],
        ['type', `element->>'type'`],
        ['primary', `(element->>'primary')::boolean`],
      ]),
    },
  ],
  [
    `${ATTRIBUTES}:teams`,
    { some: some(`resource #> '{${ATTRIBUTES},teams}'`), columns: new Map([['value', `element #>> '{}'`]]) },
  ],
]);

const literal = fc.constantFrom(...texts).map((text) => JSON.stringify(text));
const operator = fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le');
const order = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le');
const equality = fc.constantFrom('eq', 'ne');
const comparison = (names: readonly string[], operators: typeof operator, operands: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom(...names), operators, operands).map((parts) => parts.join(' '));

const inElement = fc.oneof(
  comparison(['value', 'type'], operator, literal),
  comparison(['primary'], equality, fc.constantFrom('true', 'false')),
  fc.constantFrom('type pr', 'not (type pr)', 'not (value eq "a")', 'type pr and not (primary pr)'),
);
const condition = fc.oneof(
  comparison(
    ['id', 'externalId', 'userName', 'title', 'name.givenName', 'emails', 'emails.type', `${ENTERPRISE}:manager`],
    operator,
    literal,
  ),
  comparison([`${ATTRIBUTES}:teams`], operator, literal),
  comparison(['active', 'emails.primary'], equality, fc.constantFrom('true', 'false', 'null')),
  comparison([`${ATTRIBUTES}:level`], order, fc.constantFrom('7', '-1.5', '0', '1e300')),
  comparison(
    ['meta.lastModified'],
    order,
    fc.constantFrom('"2026-03-01T08:00:00.500Z"', '"2026-03-02T10:00:00+02:00"', '"0001-01-01T00:00:00Z"'),
  ),
  fc
    .constantFrom('title', 'name', 'name.familyName', 'active', 'emails', 'emails.type', `${ATTRIBUTES}:teams`)
    .map((name) => `${name} pr`),
  inElement.map((filter) => `emails[${filter}]`),
  literal.map((value) => `${ENTERPRISE}:manager[not (value eq ${value})]`),
  literal.map((value) => `${ATTRIBUTES}:teams[value co ${value}]`),
);
const { node: anyFilter } = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    condition,
    tie('node').map((filter) => `not (${filter})`),
    fc
      .tuple(tie('node'), fc.constantFrom('and', 'or'), tie('node'))
      .map(([one, word, other]) => `(${one}) ${word} (${other})`),
  ),
}));

describe('filterCondition', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query('CREATE TABLE scim_filter_test (resource jsonb)');
    for (const user of users) await database.query('INSERT INTO scim_filter_test VALUES ($1)', [user]);
  });

  afterAll(() => database.drop());

  /** The ids of the users in the database for which the filter holds. */
  async function found(text: string): Promise<unknown[]> {
    const { sql, parameters } = filterCondition(parseFilter(text, userType), columns);
    const values: unknown[] = [];
    const positional = sql.replace(/:(filter_\d+)/g, (_, name: string) => `$${values.push(parameters[name])}`);
    const rows = await database.query<{ id: string }>(
      `SELECT resource->>'id' AS id FROM scim_filter_test WHERE ${positional} ORDER BY 1`,
      values,
    );
    return rows.map(({ id }) => id);
  }

  const matching = (text: string): unknown[] =>
    users.filter((user) => matchesFilter(parseFilter(text, userType), user)).map(({ id }) => id);

  it.each([
    ['userName eq "BA_"', ['1']],
    ['userName sw "%"', ['3']],
    ['userName co "_"', ['1']],
    ['userName ew "\\\\"', ['3']],
    ['externalId eq "a"', ['1']],
    ['not (externalId eq "a")', ['0', '2', '3']],
    ['externalId ne "a"', ['0', '2', '3']],
    ['emails[value eq "a" and type eq "b"]', ['2']],
    ['emails[not (type pr)]', ['2']],
    ['emails.type ne "a"', ['0', '1', '2']],
    [`${ATTRIBUTES}:level gt -1.5`, ['2']],
    ['meta.lastModified gt "2026-03-01T08:00:00.5Z"', ['3']],
    ['active ne true', ['0', '2', '3']],
  ])('finds for %s users %j', async (filter, ids) => {
    expect(await found(filter)).toEqual(ids);
    expect(matching(filter)).toEqual(ids);
  });

  it('finds what matchesFilter finds, for generated filters', async () => {
    const answers = { some: 0, none: 0 };
    await fc.assert(
      fc.asyncProperty(anyFilter, async (filter) => {
        const expected = matching(filter);
        answers[expected.length > 0 ? 'some' : 'none'] += 1;
        expect({ filter, found: await found(filter) }).toEqual({ filter, found: expected });
      }),
      { numRuns: 400 },
    );
    expect(Math.min(answers.some, answers.none)).toBeGreaterThan(20);
  });

  it('keeps values out of the statement', () => {
    const { sql, parameters } = filterCondition(parseFilter(`userName eq "x' OR 1=1 --"`, userType), columns, 'user');
    expect(sql).toBe(`lower(resource->>'userName') = lower(CAST(:user_0 AS text))`);
    expect(parameters).toEqual({ user_0: `x' OR 1=1 --` });
  });

  it.each([
    ['nickName eq "x"', 'filter: nickName cannot be filtered by'],
    ['emails.display eq "x"', 'filter: emails.display cannot be filtered by'],
    ['emails[display pr]', 'filter: emails.display cannot be filtered by'],
    ['photos[type eq "x"]', 'filter: photos cannot be filtered by'],
    ['addresses pr', 'filter: addresses cannot be filtered by'],
    ['name.middleName pr', 'filter: name.middleName cannot be filtered by'],
  ])('rejects %s', (filter, detail) => {
    expect(scimErrorOf(() => filterCondition(parseFilter(filter, userType), columns))).toEqual({
      status: 400,
      scimType: 'invalidFilter',
      detail,
    });
  });

  it('sorts by columns that are no lists', () => {
    const sorted = (sortBy: string): string => {
      const { sort } = readListQuery({ sortBy }, userType);
      if (!sort) throw new Error('no sort');
      return sortExpression(sort.path, columns);
    };
    expect(sorted('USERNAME')).toBe(`lower(resource->>'userName')`);
    expect(sorted('id')).toBe(`resource->>'id'`);
    expect(scimErrorOf(() => sorted('emails')).scimType).toBe('invalidPath');
  });
});
