import { AttributeType } from '../../../src/users/attributes';
import {
  applyPatch,
  attributesSchema,
  groupResourceType,
  readPatch,
  ResourceType,
  ScimError,
  ScimErrorType,
  ScimResource,
  userResourceType,
} from '../../../src/directories/scim/protocol';

export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const ATTRIBUTES = 'urn:castellan:scim:schemas:attributes:1.0';

const definition = { label: { en: '', zh: '' }, description: { en: '', zh: '' }, rules: {}, unique: false };

const attributes: readonly (readonly [string, AttributeType])[] = [
  ['employee_no', 'text'],
  ['level', 'number'],
  ['remote', 'boolean'],
  ['born', 'date'],
  ['teams', 'text_list'],
  ['constructor', 'text'],
];

/** Users with defined attributes. */
export const userType = userResourceType(
  attributesSchema(attributes.map(([name, type]) => ({ ...definition, name, type }))),
);

const patched = (resource: ScimResource, type: ResourceType, ...operations: object[]): ScimResource =>
  applyPatch(resource, readPatch({ Operations: operations }), type);

/** The user after the operations. */
export const patchedUser = (user: ScimResource, ...operations: object[]): ScimResource =>
  patched(user, userType, ...operations);

/** The group after the operations. */
export const patchedGroup = (group: ScimResource, ...operations: object[]): ScimResource =>
  patched(group, groupResourceType, ...operations);

/** A user with values of the core and enterprise schemas. */
export const na: ScimResource = {
  id: 'u1',
  meta: { resourceType: 'User' },
  externalId: '7c3e',
  userName: 'li.na@corp.example',
  name: { familyName: 'Li', givenName: 'Na' },
  active: true,
  emails: [
    { value: 'li.na@corp.example', type: 'work', primary: true },
    { value: 'na@home.example', type: 'home' },
  ],
  [ENTERPRISE]: { department: 'Sales', manager: { value: 'm1', $ref: 'https://id.example.com/Users/m1' } },
};

/** A group of three members. */
export const sales: ScimResource = {
  id: 'g1',
  displayName: 'Sales',
  members: ['a', 'b', 'c'].map((value) => ({ value })),
};

/** Ids of the members, joined. */
export const membersOf = (group: ScimResource): string =>
  ((group['members'] ?? []) as { value: string }[]).map(({ value }) => value).join('');

interface ErrorParts {
  readonly status: number;
  readonly scimType: ScimErrorType | undefined;
  readonly detail: string;
}

/** The error that the act must throw. */
export function scimErrorOf(act: () => unknown): ErrorParts {
  try {
    act();
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
    return { status: error.status, scimType: error.scimType, detail: error.detail };
  }
  throw new Error('nothing was thrown');
}
