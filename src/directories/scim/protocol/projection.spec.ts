import { attributesSchema } from './attributes-schema';
import { groupResourceType } from './group-schema';
import { parseProjection, projectResource } from './projection';
import { ScimError } from './scim-error';
import { ENTERPRISE_USER_SCHEMA, USER_SCHEMA, userResourceType } from './user-schema';

const user = userResourceType(attributesSchema([]));
const ann = {
  id: 'u1',
  userName: 'ann',
  name: { givenName: 'Ann', familyName: 'Li' },
  emails: [{ value: 'a@x.example', type: 'work' }, { value: 'b@x.example' }],
  password: 'secret',
  unknown: 1,
  meta: { resourceType: 'User', version: 'W/"1"' },
  [ENTERPRISE_USER_SCHEMA]: { department: 'HR', manager: { value: 'm1' } },
};
const schemas = [USER_SCHEMA, ENTERPRISE_USER_SCHEMA];
const { id, userName, name, emails, meta } = ann;
const enterprise = ann[ENTERPRISE_USER_SCHEMA];

describe('projectResource', () => {
  it('returns what the schemas have by default', () => {
    expect(projectResource(ann, user, parseProjection(undefined, undefined, user))).toEqual({
      schemas,
      id,
      userName,
      name,
      emails,
      meta,
      [ENTERPRISE_USER_SCHEMA]: enterprise,
    });
  });

  it.each<[string, object]>([
    ['userName', { userName }],
    ['USERNAME, name', { userName, name }],
    ['name.givenName', { name: { givenName: 'Ann' } }],
    ['name.middleName', {}],
    ['emails.type', { emails: [{ type: 'work' }] }],
    ['emails.type,emails.value', { emails }],
    ['meta.version', { meta: { version: 'W/"1"' } }],
    [`${USER_SCHEMA}:userName`, { userName }],
    [`${ENTERPRISE_USER_SCHEMA}:department`, { [ENTERPRISE_USER_SCHEMA]: { department: 'HR' } }],
    [ENTERPRISE_USER_SCHEMA, { [ENTERPRISE_USER_SCHEMA]: enterprise }],
    ['colour,password,constructor', {}],
    ['userName,,', { userName }],
  ])('returns of the attributes %s', (attributes, expected) => {
    expect(projectResource(ann, user, parseProjection(attributes, undefined, user))).toEqual({
      schemas,
      id,
      ...expected,
    });
  });

  it.each<[string, object]>([
    ['emails, meta', { userName, name, [ENTERPRISE_USER_SCHEMA]: enterprise }],
    [
      'id,schemas,meta,emails.value',
      { userName, name, emails: [{ type: 'work' }], [ENTERPRISE_USER_SCHEMA]: enterprise },
    ],
    [`meta,emails,name.givenName,name.familyName,${ENTERPRISE_USER_SCHEMA}`, { userName }],
    [
      `meta,emails,name,${ENTERPRISE_USER_SCHEMA}:manager`,
      { userName, [ENTERPRISE_USER_SCHEMA]: { department: 'HR' } },
    ],
  ])('leaves out the excluded attributes %s', (excluded, expected) => {
    expect(projectResource(ann, user, parseProjection(undefined, excluded, user))).toEqual({
      schemas,
      id,
      ...expected,
    });
  });

  it('returns a group without its members', () => {
    const group = { id: 'g1', displayName: 'Sales', members: [{ value: 'u1' }] };
    const projection = parseProjection('', 'members', groupResourceType);
    expect(projectResource(group, groupResourceType, projection)).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      id: 'g1',
      displayName: 'Sales',
    });
  });

  it.each([
    ['both at once', 'userName', 'emails'],
    ['a long list', 'x'.repeat(8_193), undefined],
  ])('rejects %s', (_, attributes, excluded) => {
    expect(() => parseProjection(attributes, excluded, user)).toThrow(ScimError);
  });
});
