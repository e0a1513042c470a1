import { attributesOf, findAttribute, findSubAttribute, ResourceType, ScimAttribute, ScimSchema } from './schema';

/** Where a value is in a resource: `name.givenName`, `urn:…:User:department`. */
export interface AttributePath {
  /** The URN under which the attribute is. null: at the top. */
  readonly extension: string | null;
  readonly attribute: ScimAttribute;
  readonly sub: ScimAttribute | null;
}

/** The whole of an extension, by its URN. */
export interface ExtensionPath {
  readonly schema: ScimSchema;
}

const URN = /^urn:/i;

/** Resolves a name as clients write it, in any case. null when the schemas have no such attribute. */
export function resolvePath(text: string, type: ResourceType): AttributePath | ExtensionPath | null {
  if (!URN.test(text)) return resolveWithin(text, attributesOf(type), null);
  const lower = text.toLowerCase();
  const isBelow = ({ id }: ScimSchema): boolean => lower.startsWith(`${id.toLowerCase()}:`);
  if (isBelow(type.schema)) return resolveWithin(text.slice(type.schema.id.length + 1), attributesOf(type), null);
  for (const schema of type.extensions) {
    if (lower === schema.id.toLowerCase()) return { schema };
    if (isBelow(schema)) return resolveWithin(text.slice(schema.id.length + 1), schema.attributes, schema.id);
  }
  return null;
}

/** Resolves a name between the brackets of a value path. */
export function resolveInElement(text: string, parent: ScimAttribute): AttributePath | null {
  const attribute =
    parent.type === 'complex'
      ? findSubAttribute(parent, text)
      : text.toLowerCase() === 'value'
        ? { ...parent, name: 'value', multiValued: false }
        : undefined;
  return attribute ? { extension: null, attribute, sub: null } : null;
}

function resolveWithin(
  text: string,
  attributes: readonly ScimAttribute[],
  extension: string | null,
): AttributePath | null {
  const dot = text.indexOf('.');
  const attribute = findAttribute(attributes, dot < 0 ? text : text.slice(0, dot));
  if (!attribute) return null;
  if (dot < 0) return { extension, attribute, sub: null };
  const sub = findSubAttribute(attribute, text.slice(dot + 1));
  return sub ? { extension, attribute, sub } : null;
}

/** The path with the spelling of its schema. */
export function pathText({ extension, attribute, sub }: AttributePath): string {
  const name = sub ? `${attribute.name}.${sub.name}` : attribute.name;
  return extension === null ? name : `${extension}:${name}`;
}
