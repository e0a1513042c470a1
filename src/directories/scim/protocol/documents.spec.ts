import { attributesSchema } from './attributes-schema';
import {
  listDocument,
  resourceTypeDocuments,
  schemaDocuments,
  ScimDocument,
  serviceProviderConfigDocument,
} from './documents';
import { groupResourceType } from './group-schema';
import { errorDocument, ScimError } from './scim-error';
import { userResourceType } from './user-schema';

const definition = {
  name: 'team',
  type: 'choice',
  label: { en: 'Team', zh: '团队' },
  description: { en: '', zh: '' },
  rules: { choices: [{ value: 'red', label: null }] },
  unique: true,
} as const;
const types = [userResourceType(attributesSchema([definition])), groupResourceType];
const BASE = 'https://id.example.com/api/scim/v2/d1';

interface Described {
  readonly name: string;
  readonly subAttributes?: readonly Described[];
}

describe('schemaDocuments', () => {
  const documents = schemaDocuments(types, BASE);
  const attributesOf = (document: ScimDocument | undefined): Described[] => document?.['attributes'] as Described[];

  it('describes users, extensions and groups', () => {
    expect(documents.map((document) => document['id'])).toEqual([
      'urn:ietf:params:scim:schemas:core:2.0:User',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
      'urn:castellan:scim:schemas:attributes:1.0',
      'urn:ietf:params:scim:schemas:core:2.0:Group',
    ]);
    expect(documents[3]?.['meta']).toEqual({
      resourceType: 'Schema',
      location: `${BASE}/Schemas/urn:ietf:params:scim:schemas:core:2.0:Group`,
    });
  });

  it('has every characteristic of every attribute', () => {
    const all = documents.flatMap(attributesOf).flatMap((one) => [one, ...(one.subAttributes ?? [])]);
    expect(all.length).toBeGreaterThan(80);
    const characteristics = ['type', 'multiValued', 'required', 'caseExact', 'mutability', 'returned', 'uniqueness'];
    for (const attribute of all) expect(Object.keys(attribute)).toEqual(expect.arrayContaining(characteristics));
    expect(all.filter((attribute) => (attribute as { description?: string }).description === '')).toEqual([]);
  });

  it('offers no password, which would be discarded', () => {
    expect(attributesOf(documents[0]).map(({ name }) => name)).toContain('userName');
    expect(attributesOf(documents[0]).map(({ name }) => name)).not.toContain('password');
  });

  it('describes defined attributes', () => {
    expect(attributesOf(documents[2])).toEqual([
      {
        name: 'team',
        type: 'string',
        multiValued: false,
        description: 'Team',
        required: false,
        caseExact: false,
        mutability: 'readWrite',
        returned: 'default',
        uniqueness: 'server',
        canonicalValues: ['red'],
      },
    ]);
    expect(attributesSchema([])).toBeNull();
    expect(userResourceType(null).extensions).toHaveLength(1);
  });
});

it('describes the types of resources', () => {
  const [user, group] = resourceTypeDocuments(types, BASE);
  expect(user).toMatchObject({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: 'User',
    endpoint: '/Users',
    schema: 'urn:ietf:params:scim:schemas:core:2.0:User',
    schemaExtensions: [
      { schema: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User', required: false },
      { schema: 'urn:castellan:scim:schemas:attributes:1.0', required: false },
    ],
    meta: { location: `${BASE}/ResourceTypes/User` },
  });
  expect(group).toMatchObject({ id: 'Group', endpoint: '/Groups', schemaExtensions: [] });
});

it('says what the service can', () => {
  expect(serviceProviderConfigDocument(BASE)).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true, maxResults: 200 },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [{ type: 'oauthbearertoken', primary: true }],
  });
});

it('lists resources with their total', () => {
  expect(listDocument([{ id: 'u1' }], { totalResults: 7, startIndex: 3 })).toEqual({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: 7,
    startIndex: 3,
    itemsPerPage: 1,
    Resources: [{ id: 'u1' }],
  });
});

it.each([
  [new ScimError(404, undefined, 'gone'), { status: '404', detail: 'gone' }],
  [new ScimError(409, 'uniqueness', 'taken'), { status: '409', scimType: 'uniqueness', detail: 'taken' }],
])('renders errors', (error, expected) => {
  expect(errorDocument(error)).toEqual({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], ...expected });
});
