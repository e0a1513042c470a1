import { isJsonObject } from '../../../platform/util';
import { attributesOf, findAttribute, membersByName, ResourceType, ScimAttribute, ScimResource } from './schema';
import { badRequest } from './scim-error';
import { invalidValue, readElements, readSingle } from './values';

/**
 * Reads the body of a POST or PUT: what clients may write, with the names and types of the schemas. Unknown and
 * read-only attributes are ignored (RFC 7644 §3.3 and §3.5.1), a password is discarded, unassigned ones are absent.
 * Throws ScimError with the name of a wrong or missing attribute.
 */
export function readResource(body: unknown, type: ResourceType): ScimResource {
  if (!isJsonObject(body)) throw badRequest('invalidSyntax', 'the body is not an object');
  const resource = readAttributes(body, attributesOf(type), '');
  const members = membersByName(body);
  for (const { id, attributes } of type.extensions) {
    const input = members.get(id.toLowerCase());
    if (input === undefined || input === null) continue;
    if (!isJsonObject(input)) throw invalidValue(id, 'an object expected');
    const extension = readAttributes(input, attributes, `${id}:`);
    if (Object.keys(extension).length > 0) resource[id] = extension;
  }
  return resource;
}

function readAttributes(input: object, attributes: readonly ScimAttribute[], prefix: string): ScimResource {
  const read: ScimResource = {};
  for (const [name, value] of membersByName(input)) {
    const attribute = findAttribute(attributes, name);
    if (!attribute || !isWritable(attribute)) continue;
    const assigned = readAttribute(attribute, value, `${prefix}${attribute.name}`);
    if (assigned !== null) read[attribute.name] = assigned;
  }
  const missing = attributes.find(({ required, name }) => required && !Object.hasOwn(read, name));
  if (missing) throw invalidValue(`${prefix}${missing.name}`, 'a value is required');
  return read;
}

export const isWritable = ({ mutability }: ScimAttribute): boolean =>
  mutability === 'readWrite' || mutability === 'immutable';

function readAttribute(attribute: ScimAttribute, input: unknown, label: string): unknown {
  if (!attribute.multiValued) return readSingle(attribute, input, label);
  const elements = readElements(attribute, input, label);
  return elements.length > 0 ? elements : null;
}
