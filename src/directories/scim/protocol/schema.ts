/** RFC 7643 §7. */
export type ScimValueType =
  'string' | 'boolean' | 'decimal' | 'integer' | 'dateTime' | 'binary' | 'reference' | 'complex';

/** An attribute as `/Schemas` describes it (RFC 7643 §7). */
export interface ScimAttribute {
  readonly name: string;
  readonly type: ScimValueType;
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  readonly caseExact: boolean;
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly';
  readonly returned: 'always' | 'default' | 'never' | 'request';
  readonly uniqueness: 'none' | 'server';
  /** Suggestions: other values are accepted, too. */
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly ScimAttribute[];
}

export interface ScimSchema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly ScimAttribute[];
}

export interface ResourceType {
  readonly name: 'User' | 'Group';
  /** Below the base address. */
  readonly endpoint: '/Users' | '/Groups';
  readonly description: string;
  readonly schema: ScimSchema;
  /** None of them is required. */
  readonly extensions: readonly ScimSchema[];
}

/** A resource with the names of its schema. An extension is an object under its URN. */
export type ScimResource = Record<string, unknown>;

/** An attribute with the usual characteristics (RFC 7643 §2.2), and the given ones. */
export const defineAttribute = (
  name: string,
  description: string,
  given: Partial<Omit<ScimAttribute, 'name' | 'description'>> = {},
): ScimAttribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...given,
});

/** What every resource has (RFC 7643 §3.1). `/Schemas` leaves them out. */
const COMMON_ATTRIBUTES: readonly ScimAttribute[] = [
  defineAttribute('schemas', 'URIs of the schemas of the resource.', {
    type: 'reference',
    multiValued: true,
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
  }),
  defineAttribute('id', 'Identifier given by the service.', {
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'server',
  }),
  defineAttribute('externalId', 'Identifier given by the client.', { caseExact: true }),
  defineAttribute('meta', 'Metadata of the resource.', {
    type: 'complex',
    mutability: 'readOnly',
    subAttributes: [
      defineAttribute('resourceType', 'Type of the resource.', { caseExact: true, mutability: 'readOnly' }),
      defineAttribute('created', 'When the resource was created.', { type: 'dateTime', mutability: 'readOnly' }),
      defineAttribute('lastModified', 'When the resource last changed.', { type: 'dateTime', mutability: 'readOnly' }),
      defineAttribute('location', 'Address of the resource.', {
        type: 'reference',
        caseExact: true,
        mutability: 'readOnly',
        referenceTypes: ['uri'],
      }),
      defineAttribute('version', 'ETag of the resource.', { caseExact: true, mutability: 'readOnly' }),
    ],
  }),
];

const coreAttributes = new WeakMap<ScimSchema, readonly ScimAttribute[]>();

/** The attributes at the top of a resource: those of every resource, then those of the schema. */
export function attributesOf({ schema }: ResourceType): readonly ScimAttribute[] {
  const known = coreAttributes.get(schema);
  if (known) return known;
  const all = [...COMMON_ATTRIBUTES, ...schema.attributes];
  coreAttributes.set(schema, all);
  return all;
}

const byName = new WeakMap<readonly ScimAttribute[], ReadonlyMap<string, ScimAttribute>>();

/** Finds an attribute without case (RFC 7643 §2.1). */
export function findAttribute(attributes: readonly ScimAttribute[], name: string): ScimAttribute | undefined {
  let known = byName.get(attributes);
  if (!known) {
    known = new Map(attributes.map((attribute) => [attribute.name.toLowerCase(), attribute]));
    byName.set(attributes, known);
  }
  return known.get(name.toLowerCase());
}

const NO_ATTRIBUTES: readonly ScimAttribute[] = [];

export const findSubAttribute = (attribute: ScimAttribute, name: string): ScimAttribute | undefined =>
  findAttribute(attribute.subAttributes ?? NO_ATTRIBUTES, name);

/** A member of an object of the client, or of a resource. Names that every object inherits are no members. */
export const ownMember = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null && Object.hasOwn(object, name)
    ? (object as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** The members of an object of the client by name without case. The later of two spellings counts. */
export const membersByName = (object: object): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(object).map(([name, value]: [string, unknown]) => [name.toLowerCase(), value]));
