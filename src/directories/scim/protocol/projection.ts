import { isJsonObject } from '../../../platform/util';
import { AttributePath, pathText, resolvePath } from './attribute-path';
import { attributesOf, ownMember, ResourceType, ScimAttribute, ScimResource } from './schema';
import { badRequest } from './scim-error';

const MAX_LENGTH = 8_192;

/** Which attributes an answer has (RFC 7644 §3.9). */
export interface Projection {
  /** null: those that are returned by default. */
  readonly only: ReadonlySet<string> | null;
  readonly without: ReadonlySet<string>;
}

/**
 * Reads the query parameters `attributes` and `excludedAttributes`: names with commas between. Unknown names are
 * ignored. Throws `invalidValue` when both are given.
 */
export function parseProjection(
  attributes: string | undefined,
  excludedAttributes: string | undefined,
  type: ResourceType,
): Projection {
  const isGiven = attributes !== undefined && attributes.trim() !== '';
  if (isGiven && excludedAttributes) {
    throw badRequest('invalidValue', 'attributes: not possible beside excludedAttributes');
  }
  return {
    only: isGiven ? namesIn(attributes, 'attributes', type) : null,
    without: namesIn(excludedAttributes ?? '', 'excludedAttributes', type),
  };
}

function namesIn(list: string, label: string, type: ResourceType): ReadonlySet<string> {
  if (list.length > MAX_LENGTH) throw badRequest('invalidValue', `${label}: longer than ${MAX_LENGTH} characters`);
  const names = new Set<string>();
  for (const name of list.split(',')) {
    const path = resolvePath(name.trim(), type);
    if (path) names.add('schema' in path ? path.schema.id : pathText(path));
  }
  return names;
}

/** The resource as it is answered, with `schemas`, and with the members of the type alone. */
export function projectResource(resource: ScimResource, type: ResourceType, projection: Projection): ScimResource {
  const projected = projectAttributes(resource, attributesOf(type), null, projection);
  const extensions = type.extensions.filter(({ id }) => isJsonObject(ownMember(resource, id)));
  for (const { id, attributes } of extensions) {
    const isWhole = projection.only?.has(id) ?? false;
    const chosen = isWhole ? { ...projection, only: null } : projection;
    const extension = projectAttributes(ownMember(resource, id), attributes, id, chosen);
    if (!projection.without.has(id) && Object.keys(extension).length > 0) projected[id] = extension;
  }
  return { schemas: [type.schema.id, ...extensions.map(({ id }) => id)], ...projected };
}

function projectAttributes(
  container: unknown,
  attributes: readonly ScimAttribute[],
  extension: string | null,
  projection: Projection,
): ScimResource {
  const projected: ScimResource = {};
  for (const attribute of attributes) {
    const value = ownMember(container, attribute.name);
    if (value === undefined || value === null || attribute.name === 'schemas') continue;
    const shown = projectValue(value, { extension, attribute, sub: null }, projection);
    if (shown !== undefined) projected[attribute.name] = shown;
  }
  return projected;
}

function projectValue(value: unknown, path: AttributePath, projection: Projection): unknown {
  const { attribute } = path;
  const subs = attribute.subAttributes ?? [];
  if (isShown(path, projection)) {
    const hidden = subs.filter((sub) => !isSubShown({ ...path, sub }, projection));
    return hidden.length > 0 ? eachWith(value, (name) => !hidden.some((sub) => sub.name === name)) : value;
  }
  const asked = subs.filter((sub) => projection.only?.has(pathText({ ...path, sub })));
  return asked.length > 0 ? eachWith(value, (name) => asked.some((sub) => sub.name === name)) : undefined;
}

function isShown(path: AttributePath, { only, without }: Projection): boolean {
  const { returned } = path.sub ?? path.attribute;
  if (returned === 'always') return true;
  if (returned === 'never') return false;
  const text = pathText(path);
  if (only) return only.has(text);
  return returned === 'default' && !without.has(text);
}

/** A sub-attribute is shown with its attribute, unless it is excluded. */
const isSubShown = (path: AttributePath, projection: Projection): boolean =>
  isShown(path, { only: null, without: projection.without });

/** The record, or each of the list, with the chosen members. undefined: none of them has any. */
function eachWith(value: unknown, isChosen: (name: string) => boolean): unknown {
  const chosen = (record: unknown): object =>
    isJsonObject(record) ? Object.fromEntries(Object.entries(record).filter(([name]) => isChosen(name))) : {};
  const isAny = (record: object): boolean => Object.keys(record).length > 0;
  if (!Array.isArray(value)) return isAny(chosen(value)) ? chosen(value) : undefined;
  const elements = value.map(chosen).filter(isAny);
  return elements.length > 0 ? elements : undefined;
}
