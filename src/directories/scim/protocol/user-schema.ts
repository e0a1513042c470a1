import { defineAttribute, ResourceType, ScimAttribute, ScimSchema } from './schema';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const ENTERPRISE_USER_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const complex = (name: string, description: string, subAttributes: readonly ScimAttribute[]): ScimAttribute =>
  defineAttribute(name, description, { type: 'complex', subAttributes });

/** What the elements of a list have beside their value (RFC 7643 §2.4). */
const kindAndPrimary = (...canonicalValues: string[]): ScimAttribute[] => [
  defineAttribute('type', 'What the value is for.', canonicalValues.length > 0 ? { canonicalValues } : {}),
  defineAttribute('primary', 'Whether it is the preferred one. At most one is.', { type: 'boolean' }),
];

/** A list whose elements have a value, a text to show, a type and a mark of the preferred one. */
const list = (name: string, description: string, value: ScimAttribute, ...types: string[]): ScimAttribute =>
  defineAttribute(name, description, {
    type: 'complex',
    multiValued: true,
    subAttributes: [value, defineAttribute('display', 'The value as it is shown.'), ...kindAndPrimary(...types)],
  });

const text = (description: string): ScimAttribute => defineAttribute('value', description);
const address = (description: string, ...referenceTypes: string[]): Parameters<typeof defineAttribute> => [
  'value',
  description,
  { type: 'reference', caseExact: true, referenceTypes },
];

/** RFC 7643 §4.1. */
const userSchema: ScimSchema = {
  id: USER_SCHEMA,
  name: 'User',
  description: 'User account',
  attributes: [
    defineAttribute('userName', 'Name of the user at the client. Unique in the directory, without case.', {
      required: true,
      uniqueness: 'server',
    }),
    complex('name', 'Parts of the name.', [
      defineAttribute('formatted', 'The whole name as it is shown.'),
      defineAttribute('familyName', 'Family name.'),
      defineAttribute('givenName', 'Given name.'),
      defineAttribute('middleName', 'Middle names.'),
      defineAttribute('honorificPrefix', 'Title before the name.'),
      defineAttribute('honorificSuffix', 'Title after the name.'),
    ]),
    defineAttribute('displayName', 'Name as it is shown.'),
    defineAttribute('nickName', 'Casual name.'),
    defineAttribute('profileUrl', 'Address of a page about the user.', {
      type: 'reference',
      caseExact: true,
      referenceTypes: ['external'],
    }),
    defineAttribute('title', 'Job title.'),
    defineAttribute('userType', 'Relation to the organization.'),
    defineAttribute('preferredLanguage', 'Languages as in Accept-Language.'),
    defineAttribute('locale', 'Language tag for numbers and dates.'),
    defineAttribute('timezone', 'Time zone of the IANA database.'),
    defineAttribute('active', 'Whether the user may log in.', { type: 'boolean' }),
    defineAttribute('password', 'Discarded: passwords are not set by directories.', {
      mutability: 'writeOnly',
      returned: 'never',
    }),
    list('emails', 'E-mail addresses.', text('E-mail address.'), 'work', 'home', 'other'),
    list('phoneNumbers', 'Phone numbers.', text('Phone number.'), 'work', 'home', 'mobile', 'fax', 'pager', 'other'),
    list('ims', 'Instant messaging addresses.', text('Instant messaging address.')),
    list(
      'photos',
      'Pictures.',
      defineAttribute(...address('Address of the picture.', 'external')),
      'photo',
      'thumbnail',
    ),
    defineAttribute('addresses', 'Postal addresses.', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        defineAttribute('formatted', 'The whole address as it is shown.'),
        defineAttribute('streetAddress', 'Street, house number and the like.'),
        defineAttribute('locality', 'City.'),
        defineAttribute('region', 'State or region.'),
        defineAttribute('postalCode', 'Postal code.'),
        defineAttribute('country', 'Country as in ISO 3166-1 alpha-2.'),
        ...kindAndPrimary('work', 'home', 'other'),
      ],
    }),
    defineAttribute('groups', 'Groups of the user. They change by their members.', {
      type: 'complex',
      multiValued: true,
      mutability: 'readOnly',
      subAttributes: [
        defineAttribute('value', 'Id of the group.', { caseExact: true, mutability: 'readOnly' }),
        defineAttribute('$ref', 'Address of the group.', {
          type: 'reference',
          caseExact: true,
          mutability: 'readOnly',
          referenceTypes: ['Group'],
        }),
        defineAttribute('display', 'Name of the group.', { mutability: 'readOnly' }),
        defineAttribute('type', 'Always direct.', { mutability: 'readOnly', canonicalValues: ['direct'] }),
      ],
    }),
    list('entitlements', 'What the user is entitled to.', text('Name of the entitlement.')),
    list('roles', 'Roles at the client.', text('Name of the role.')),
    list(
      'x509Certificates',
      'Certificates.',
      defineAttribute('value', 'DER-encoded X.509 certificate.', { type: 'binary', caseExact: true }),
    ),
  ],
};

/** RFC 7643 §4.3. */
const enterpriseUserSchema: ScimSchema = {
  id: ENTERPRISE_USER_SCHEMA,
  name: 'EnterpriseUser',
  description: 'Enterprise user',
  attributes: [
    defineAttribute('employeeNumber', 'Number given by the employer.'),
    defineAttribute('costCenter', 'Cost center.'),
    defineAttribute('organization', 'Organization.'),
    defineAttribute('division', 'Division.'),
    defineAttribute('department', 'Department.'),
    complex('manager', 'Manager of the user.', [
      defineAttribute('value', 'Id of the manager.', { caseExact: true }),
      defineAttribute('$ref', 'Address of the manager.', {
        type: 'reference',
        caseExact: true,
        referenceTypes: ['User'],
      }),
      defineAttribute('displayName', 'Name of the manager.', { mutability: 'readOnly' }),
    ]),
  ],
};

/** Users with the schema of their attributes, if there is one. */
export const userResourceType = (attributes: ScimSchema | null): ResourceType => ({
  name: 'User',
  endpoint: '/Users',
  description: 'User account',
  schema: userSchema,
  extensions: attributes ? [enterpriseUserSchema, attributes] : [enterpriseUserSchema],
});
