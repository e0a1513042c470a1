import { scimErrorOf } from '../../../../test/support/directories/scim';
import { pathText } from './attribute-path';
import { readListQuery } from './list-query';
import { userResourceType } from './user-schema';

const user = userResourceType(null);

describe('readListQuery', () => {
  it('asks for the first page of all without parameters', () => {
    expect(readListQuery({}, user)).toEqual({
      filter: null,
      sort: null,
      startIndex: 1,
      count: 200,
      projection: { only: null, without: new Set() },
    });
  });

  it('reads every parameter', () => {
    const query = readListQuery(
      {
        filter: 'userName eq "ann"',
        sortBy: 'NAME.familyName',
        sortOrder: 'Descending',
        startIndex: '21',
        count: '10',
        attributes: 'userName',
      },
      user,
    );
    expect(query).toMatchObject({ startIndex: 21, count: 10, filter: { operator: 'eq' }, sort: { descending: true } });
    expect(query.sort && pathText(query.sort.path)).toBe('name.familyName');
    expect(query.projection.only).toEqual(new Set(['userName']));
  });

  it.each([
    ['0', '-5', 1, 0],
    ['-1', '0', 1, 0],
    ['999999999999', '201', 1_000_000_000, 200],
    ['', '', 1, 200],
  ])('takes the nearest of startIndex %s and count %s', (startIndex, count, start, expected) => {
    expect(readListQuery({ startIndex, count }, user)).toMatchObject({ startIndex: start, count: expected });
  });

  it.each([
    [{ startIndex: '1.5' }, 'invalidValue'],
    [{ count: 'ten' }, 'invalidValue'],
    [{ count: '1'.repeat(16) }, 'invalidValue'],
    [{ sortOrder: 'up' }, 'invalidValue'],
    [{ sortBy: 'colour' }, 'invalidPath'],
    [{ sortBy: 'password' }, 'invalidPath'],
    [{ filter: 'colour pr' }, 'invalidFilter'],
    [{ attributes: 'id', excludedAttributes: 'id' }, 'invalidValue'],
  ])('rejects %j', (input, scimType) => {
    expect(scimErrorOf(() => readListQuery(input, user))).toMatchObject({ status: 400, scimType });
  });
});
