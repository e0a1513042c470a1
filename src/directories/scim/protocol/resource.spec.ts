import { ATTRIBUTES, ENTERPRISE, scimErrorOf, userType } from '../../../../test/support/directories/scim';
import { groupResourceType } from './group-schema';
import { readResource } from './resource';

const errorOf = (body: unknown, type = userType): ReturnType<typeof scimErrorOf> =>
  scimErrorOf(() => readResource(body, type));

describe('readResource', () => {
  it('reads a user of Entra ID', () => {
    expect(
      readResource(
        {
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE],
          externalId: '7c3e',
          userName: 'li.na@corp.example',
          active: true,
          emails: [{ primary: true, type: 'work', value: 'li.na@corp.example' }],
          meta: { resourceType: 'User' },
          name: { familyName: 'Li', givenName: 'Na' },
          [ENTERPRISE]: { manager: 'm1', department: 'Sales' },
        },
        userType,
      ),
    ).toEqual({
      externalId: '7c3e',
      userName: 'li.na@corp.example',
      active: true,
      emails: [{ primary: true, type: 'work', value: 'li.na@corp.example' }],
      name: { familyName: 'Li', givenName: 'Na' },
      [ENTERPRISE]: { manager: { value: 'm1' }, department: 'Sales' },
    });
  });

  it('ignores what is unknown, read-only or discarded', () => {
    expect(
      readResource(
        {
          userName: 'ann',
          id: 'mine',
          password: 'secret',
          groups: [{ value: 'g1' }],
          colour: 'red',
          'name.givenName': 'Ann',
          emails: [{ value: 'a@x.example', colour: 'red' }, { colour: 'red' }, {}, null],
          'urn:other:1.0': { x: 1 },
          [ENTERPRISE]: { colour: 'red', manager: { displayName: 'Bob' } },
        },
        userType,
      ),
    ).toEqual({ userName: 'ann', emails: [{ value: 'a@x.example' }] });
  });

  it('reads names in any case, and answers with those of the schema', () => {
    expect(
      readResource(
        { USERNAME: 'ann', Name: { GIVENNAME: 'Ann' }, [ENTERPRISE.toUpperCase()]: { Department: 'HR' } },
        userType,
      ),
    ).toEqual({ userName: 'ann', name: { givenName: 'Ann' }, [ENTERPRISE]: { department: 'HR' } });
  });

  it('leaves out what is not assigned', () => {
    const empty = { name: null, emails: [], title: null, addresses: [{}], [ENTERPRISE]: null, [ATTRIBUTES]: {} };
    expect(readResource({ userName: 'ann', ...empty }, userType)).toEqual({ userName: 'ann' });
  });

  it('reads defined attributes by their types', () => {
    const given = { level: '7.5', remote: 'False', born: '1990-01-31', teams: 'red', constructor: 'x' };
    expect(readResource({ userName: 'ann', [ATTRIBUTES]: given }, userType)[ATTRIBUTES]).toEqual({
      level: 7.5,
      remote: false,
      born: '1990-01-31',
      teams: ['red'],
      constructor: 'x',
    });
    expect(readResource({ userName: 'ann', [ATTRIBUTES]: { level: -3 } }, userType)[ATTRIBUTES]).toEqual({ level: -3 });
  });

  it('reads a group with members', () => {
    const members = [{ value: 'u1', display: 'Ann', type: 'User' }, 'u2'];
    expect(readResource({ displayName: 'Sales', members }, groupResourceType)).toEqual({
      displayName: 'Sales',
      members: [{ value: 'u1', type: 'User' }, { value: 'u2' }],
    });
  });

  it('takes no more names than there are from objects', () => {
    const body: unknown = JSON.parse(
      '{"userName":"ann","__proto__":{"title":"x"},"name":{"__proto__":{"x":1}},"toString":1}',
    );
    const read = readResource(body, userType);
    expect(read).toEqual({ userName: 'ann' });
    expect(Object.keys(readResource({ userName: 'ann', [ATTRIBUTES]: {} }, userType))).toEqual(['userName']);
    expect(errorOf(JSON.parse('{"__proto__":{"userName":"ann"}}')).detail).toBe('userName: a value is required');
  });

  it.each([[null], ['text'], [[]], [7]])('rejects the body %j', (body) => {
    expect(errorOf(body)).toEqual({ status: 400, scimType: 'invalidSyntax', detail: 'the body is not an object' });
  });

  it.each<[object, string]>([
    [{}, 'userName: a value is required'],
    [{ userName: null }, 'userName: a value is required'],
    [{ userName: '' }, 'userName: a value is required'],
    [{ userName: 7 }, 'userName: a text of at most 8192 characters expected'],
    [{ userName: 'a\0' }, 'userName: a text of at most 8192 characters expected'],
    [{ userName: '\ud800' }, 'userName: a text of at most 8192 characters expected'],
    [{ userName: ['a', 'b'] }, 'userName: a text of at most 8192 characters expected'],
    [{ userName: 'ann', active: 'maybe' }, 'active: true or false expected'],
    [{ userName: 'ann', name: 'Ann' }, 'name: an object expected'],
    [{ userName: 'ann', name: { givenName: {} } }, 'name.givenName: a text of at most 8192 characters expected'],
    [
      { userName: 'ann', emails: [{ value: 'x' }, { value: 5 }] },
      'emails[1].value: a text of at most 8192 characters expected',
    ],
    [{ userName: 'ann', emails: [{ value: 'x', primary: 1 }] }, 'emails[0].primary: true or false expected'],
    [{ userName: 'ann', emails: [[['x']]] }, 'emails[0]: an object expected'],
    [
      {
        userName: 'ann',
        emails: [
          { value: 'x', primary: true },
          { value: 'y', primary: 'true' },
        ],
      },
      'emails: only one can be primary',
    ],
    [{ userName: 'ann', emails: Array.from({ length: 101 }, () => 'x') }, 'emails: at most 100 values are possible'],
    [{ userName: 'ann', x509Certificates: ['***'] }, 'x509Certificates[0].value: Base64 expected'],
    [{ userName: 'ann', [ENTERPRISE]: 'x' }, `${ENTERPRISE}: an object expected`],
    [{ userName: 'ann', [ATTRIBUTES]: { level: 'x' } }, `${ATTRIBUTES}:level: a number expected`],
    [{ userName: 'ann', [ATTRIBUTES]: { level: '' } }, `${ATTRIBUTES}:level: a number expected`],
    [{ userName: 'ann', [ATTRIBUTES]: { level: '0x7' } }, `${ATTRIBUTES}:level: a number expected`],
    [
      { userName: 'ann', [ATTRIBUTES]: { teams: [7] } },
      `${ATTRIBUTES}:teams[0]: a text of at most 8192 characters expected`,
    ],
  ])('rejects %j', (body, detail) => {
    expect(errorOf(body)).toEqual({ status: 400, scimType: 'invalidValue', detail });
  });

  it.each<[object, string]>([
    [{ members: [] }, 'displayName: a value is required'],
    [{ displayName: 'Sales', members: [{ display: 'Ann' }] }, 'members[0].value: a value is required'],
    [{ displayName: 'Sales', members: [{ value: '' }] }, 'members[0].value: a value is required'],
  ])('rejects the group %j', (body, detail) => {
    expect(errorOf(body, groupResourceType)).toEqual({ status: 400, scimType: 'invalidValue', detail });
  });
});
