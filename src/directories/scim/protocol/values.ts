import { isJsonObject, isStorable } from '../../../platform/util';
import { readDateTime } from './date-time';
import { findSubAttribute, membersByName, ScimAttribute, ScimValueType } from './schema';
import { badRequest, ScimError } from './scim-error';

/** The longest text, in UTF-16 units. */
export const MAX_TEXT = 8_192;

/** The longest list, other than the members of a group, for which the size of the request is the limit. */
export const MAX_VALUES = 100;

export type ScimSimpleValue = string | number | boolean;
/** A complex value, by the names of the schema. */
export type ScimRecord = Readonly<Record<string, ScimSimpleValue>>;
export type ScimElement = ScimSimpleValue | ScimRecord;

export const isRecord = (element: ScimElement): element is ScimRecord => typeof element === 'object';

/** Elements of such a list refer to resources: the id tells them apart, and the list can be long. */
export const isReferenceList = (attribute: ScimAttribute): boolean =>
  attribute.multiValued && findSubAttribute(attribute, '$ref') !== undefined;

const NUMBER = /^-?\d{1,300}(?:\.\d{1,300})?$/;
const BASE64 = /^[\w+/-]*={0,2}$/;

/** A value of the type as it is stored, or undefined. Some clients send booleans and numbers as texts. */
const READERS: Readonly<Record<Exclude<ScimValueType, 'complex'>, (value: unknown) => ScimSimpleValue | undefined>> = {
  string: readText,
  reference: readText,
  binary: (value) => (typeof value === 'string' && BASE64.test(value) ? readText(value) : undefined),
  dateTime: (value) => (typeof value === 'string' && readDateTime(value) ? value : undefined),
  boolean: readBoolean,
  decimal: readNumber,
  integer: (value) => {
    const number = readNumber(value);
    return Number.isSafeInteger(number) ? number : undefined;
  },
};

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= MAX_TEXT && isStorable(value) ? value : undefined;
}

function readBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : undefined;
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}

function readNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

const EXPECTED: Readonly<Record<ScimValueType, string>> = {
  string: `a text of at most ${MAX_TEXT} characters`,
  reference: `a text of at most ${MAX_TEXT} characters`,
  binary: 'Base64',
  dateTime: 'a date and time',
  boolean: 'true or false',
  decimal: 'a number',
  integer: 'a whole number',
  complex: 'an object',
};

export const invalidValue = (label: string, problem: string): ScimError =>
  badRequest('invalidValue', `${label}: ${problem}`);

/**
 * Reads a value that is not complex. Some clients wrap it: `[{ "value": true }]`. null: unassigned. Throws
 * `invalidValue` with the label.
 */
export function readSimple(attribute: ScimAttribute, input: unknown, label: string): ScimSimpleValue | null {
  const value = unwrapped(input);
  if (value === null || value === undefined) return null;
  const read = attribute.type === 'complex' ? undefined : READERS[attribute.type](value);
  if (read === undefined) throw invalidValue(label, `${EXPECTED[attribute.type]} expected`);
  if (read === '' && attribute.required) throw invalidValue(label, 'a value is required');
  return read;
}

function unwrapped(input: unknown): unknown {
  const single: unknown = Array.isArray(input) && input.length === 1 ? input[0] : input;
  if (Array.isArray(single) && single.length === 0) return null;
  return isJsonObject(single) && Object.hasOwn(single, 'value') ? single['value'] : single;
}

/** What a complex value changes: values of sub-attributes, null for those to remove. */
export type RecordChanges = ReadonlyMap<ScimAttribute, ScimSimpleValue | null>;

/**
 * Reads a complex value without what is unknown or read-only. A value that is not an object is the `value` of one.
 * Throws `invalidValue` with the label.
 */
export function readRecordChanges(attribute: ScimAttribute, input: unknown, label: string): RecordChanges {
  const single: unknown = Array.isArray(input) && input.length === 1 ? input[0] : input;
  const isWrapped = typeof single === 'object' || findSubAttribute(attribute, 'value') === undefined;
  const object = isWrapped ? single : { value: single };
  if (!isJsonObject(object)) throw invalidValue(label, `${EXPECTED.complex} expected`);
  const changes = new Map<ScimAttribute, ScimSimpleValue | null>();
  for (const [name, value] of membersByName(object)) {
    const sub = findSubAttribute(attribute, name);
    if (sub && sub.mutability !== 'readOnly') changes.set(sub, readSimple(sub, value, `${label}.${sub.name}`));
  }
  return changes;
}

/** The complex value of changes to an empty one. null: nothing is assigned. */
function recordOf(attribute: ScimAttribute, input: unknown, label: string): ScimRecord | null {
  const members = [...readRecordChanges(attribute, input, label)].filter(([, value]) => value !== null);
  const record = Object.fromEntries(members.map(([{ name }, value]) => [name, value])) as ScimRecord;
  const missing = attribute.subAttributes?.find(({ required, name }) => required && !Object.hasOwn(record, name));
  if (missing) throw invalidValue(`${label}.${missing.name}`, 'a value is required');
  return members.length > 0 ? record : null;
}

/** Reads one value of an attribute, or one element of a list. null: unassigned. Throws `invalidValue`. */
export function readSingle(attribute: ScimAttribute, input: unknown, label: string): ScimElement | null {
  if (input === null || input === undefined) return null;
  if (attribute.type !== 'complex') return readSimple(attribute, input, label);
  if (Array.isArray(input) && input.length === 0) return null;
  return recordOf(attribute, input, label);
}

/** Reads the elements of a list. A single one need not be in an array. Throws `invalidValue` with the label. */
export function readElements(attribute: ScimAttribute, input: unknown, label: string): readonly ScimElement[] {
  if (input === null || input === undefined) return [];
  const inputs: readonly unknown[] = Array.isArray(input) ? input : [input];
  assertNotTooMany(attribute, inputs.length, label);
  const elements = inputs
    .map((one, index) => readSingle(attribute, one, `${label}[${index}]`))
    .filter((element) => element !== null);
  if (elements.filter(isPrimary).length > 1) throw invalidValue(label, 'only one can be primary');
  return elements;
}

export const isPrimary = (element: ScimElement): boolean => isRecord(element) && element['primary'] === true;

export function assertNotTooMany(attribute: ScimAttribute, count: number, label: string): void {
  if (count > MAX_VALUES && !isReferenceList(attribute)) {
    throw invalidValue(label, `at most ${MAX_VALUES} values are possible`);
  }
}
