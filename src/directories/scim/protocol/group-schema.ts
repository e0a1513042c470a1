import { defineAttribute, ResourceType } from './schema';

export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** RFC 7643 §4.2. */
export const groupResourceType: ResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  description: 'Group',
  schema: {
    id: GROUP_SCHEMA,
    name: 'Group',
    description: 'Group',
    attributes: [
      defineAttribute('displayName', 'Name of the group. Unique in the directory.', {
        required: true,
        uniqueness: 'server',
      }),
      defineAttribute('members', 'Members of the group.', {
        type: 'complex',
        multiValued: true,
        subAttributes: [
          defineAttribute('value', 'Id of the member.', { required: true, caseExact: true, mutability: 'immutable' }),
          defineAttribute('$ref', 'Address of the member.', {
            type: 'reference',
            caseExact: true,
            mutability: 'immutable',
            referenceTypes: ['User', 'Group'],
          }),
          defineAttribute('type', 'Kind of the member.', {
            mutability: 'immutable',
            canonicalValues: ['User', 'Group'],
          }),
          defineAttribute('display', 'Name of the member.', { mutability: 'readOnly' }),
        ],
      }),
    ],
  },
  extensions: [],
};
