import { ATTRIBUTES, ENTERPRISE, scimErrorOf, userType } from '../../../../test/support/directories/scim';
import { pathText } from './attribute-path';
import { groupResourceType } from './group-schema';
import { parsePatchPath } from './patch-path';

describe('parsePatchPath', () => {
  it.each([
    ['userName', 'userName', false],
    ['USERNAME', 'userName', false],
    ['name.givenName', 'name.givenName', false],
    ['emails', 'emails', false],
    ['emails[type eq "work"]', 'emails', true],
    ['emails[type eq "work" and value co "]."].value', 'emails.value', true],
    ['emails[ type eq "work" ].Value', 'emails.value', true],
    ['urn:ietf:params:scim:schemas:core:2.0:User:name.givenName', 'name.givenName', false],
    ['urn:ietf:params:scim:schemas:core:2.0:User:emails[type eq "a"].type', 'emails.type', true],
    [`${ENTERPRISE}:department`, `${ENTERPRISE}:department`, false],
    [`${ENTERPRISE.toUpperCase()}:MANAGER.VALUE`, `${ENTERPRISE}:manager.value`, false],
    [`${ATTRIBUTES}:employee_no`, `${ATTRIBUTES}:employee_no`, false],
    [`${ATTRIBUTES}:teams[value eq "red"]`, `${ATTRIBUTES}:teams`, true],
  ])('reads %s', (given, expected, hasFilter) => {
    const path = parsePatchPath(given, userType);
    if ('schema' in path) throw new Error('an extension');
    expect(pathText(path)).toBe(expected);
    expect(path.filter !== null).toBe(hasFilter);
  });

  it.each([ENTERPRISE, ATTRIBUTES, ENTERPRISE.toLowerCase()])('reads the extension %s', (given) => {
    const path = parsePatchPath(given, userType);
    expect('schema' in path && path.schema.id.toLowerCase()).toBe(given.toLowerCase());
  });

  it('reads a member of a group', () => {
    const path = parsePatchPath('members[value eq "7"]', groupResourceType);
    expect(path).toMatchObject({ attribute: { name: 'members' }, filter: { operator: 'eq', operand: '7' } });
  });

  it.each([
    [' ', 'invalidPath', 'path: the name of an attribute expected at character 1'],
    ['colour', 'invalidPath', 'path: unknown attribute "colour" at character 1'],
    ['__proto__', 'invalidPath', 'path: the name of an attribute expected at character 1'],
    ['constructor', 'invalidPath', 'path: unknown attribute "constructor" at character 1'],
    ['members', 'invalidPath', 'path: unknown attribute "members" at character 1'],
    ['name.givenName.x', 'invalidPath', 'path: unknown attribute "name.givenName.x" at character 1'],
    ['userName ', 'invalidPath', 'path: the end expected at character 9'],
    ['emails[type eq "work"]value', 'invalidPath', 'path: the end expected at character 23'],
    ['emails[type eq "work"].colour', 'invalidPath', 'path: unknown sub-attribute "colour" at character 30'],
    ['emails[type eq "work"].', 'invalidPath', 'path: unknown sub-attribute "" at character 24'],
    ['emails.value[type eq "work"]', 'invalidPath', 'path: no brackets are possible at character 13'],
    ['name[givenName eq "a"]', 'invalidPath', 'path: no brackets are possible at character 5'],
    ['emails[type eq work]', 'invalidFilter', /^path: a text in quotes.* at character 16$/],
    ['emails[type eq "work].value', 'invalidFilter', 'path: a text without a closing quote at character 16'],
    ['emails[type eq "work"', 'invalidFilter', /^path: .*expected at character 22$/],
    ['emails[colour eq "a"]', 'invalidFilter', 'path: unknown attribute "colour" at character 8'],
    [`${ATTRIBUTES}:salary`, 'invalidPath', `path: unknown attribute "${ATTRIBUTES}:salary" at character 1`],
    [`${ENTERPRISE}:`, 'invalidPath', `path: unknown attribute "${ENTERPRISE}:" at character 1`],
    ['x'.repeat(8_193), 'invalidPath', 'path: longer than 8192 characters'],
  ])('rejects %j', (given, scimType, detail) => {
    const error = scimErrorOf(() => parsePatchPath(given, userType));
    expect([error.status, error.scimType]).toEqual([400, scimType]);
    expect(error.detail).toMatch(detail);
  });
});
