import { RE2JS } from 're2js';
import { FieldProblem, ProblemParams } from '../../platform/errors';
import { codePointLength, isStorable } from '../../platform/util';
import { Attribute, AttributeRules, AttributeType } from './attribute.entity';

export type AttributeValue = string | number | boolean | readonly string[];
/** By name of the attribute. */
export type AttributeValues = Readonly<Record<string, AttributeValue>>;

type Rule = Pick<Attribute, 'type' | 'rules'>;
type Problem = Pick<FieldProblem, 'code' | 'params'>;
/** null removes the value. */
export type ReadValue = { readonly value: AttributeValue | null } | { readonly problem: Problem };

export const DEFAULT_MAX_LENGTH = 200;
const MAX_ITEMS = 50;
const DATE = /^\d{4}-\d\d-\d\d$/;

const fail = (code: string, params?: ProblemParams): ReadValue => ({ problem: { code, ...(params && { params }) } });

/** The value as it is stored: texts are composed (NFC) and trimmed. `null`, an empty text and an empty list remove it. */
export function readAttribute({ type, rules }: Rule, input: unknown): ReadValue {
  if (input === null || input === '') return { value: null };
  return READERS[type](input, rules);
}

const READERS: Readonly<Record<AttributeType, (input: unknown, rules: AttributeRules) => ReadValue>> = {
  text: readText,
  number: (input, rules) =>
    typeof input === 'number' && Number.isFinite(input) ? within(input, rules) : fail('type_number'),
  boolean: (input) => (typeof input === 'boolean' ? { value: input } : fail('type_boolean')),
  date: (input, rules) => (isDate(input) ? within(input, rules) : fail('date')),
  choice: (input, { choices = [] }) => {
    const options = choices.map(({ value }) => value);
    const isOption = typeof input === 'string' && options.includes(input);
    return isOption ? { value: input } : fail('one_of', { options: options.join(', ') });
  },
  text_list: readList,
};

function readText(input: unknown, { maxLength = DEFAULT_MAX_LENGTH, pattern }: AttributeRules): ReadValue {
  if (typeof input !== 'string') return fail('type_text');
  if (!isStorable(input)) return fail('well_formed');
  const text = input.normalize('NFC').trim();
  if (text === '') return { value: null };
  if (codePointLength(text) > maxLength) return fail('max_length', { max: maxLength });
  return pattern === undefined || compiled(pattern).matches(text) ? { value: text } : fail('pattern');
}

function readList(input: unknown, rules: AttributeRules): ReadValue {
  if (!Array.isArray(input)) return fail('type_list');
  if (input.length > MAX_ITEMS) return fail('max_items', { max: MAX_ITEMS });
  const items = new Set<string>();
  for (const item of input) {
    const read = readText(item, rules);
    if ('problem' in read) return read;
    if (typeof read.value === 'string') items.add(read.value);
  }
  return { value: items.size > 0 ? [...items] : null };
}

function within<T extends number | string>(value: T, { min, max }: AttributeRules): ReadValue {
  if (min !== undefined && value < (min as T)) return fail('min', { min });
  return max !== undefined && value > (max as T) ? fail('max', { max }) : { value };
}

/** Whether it is a day of the calendar as `YYYY-MM-DD` (RFC 3339 full-date). */
export function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !DATE.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  // JavaScript reads February 30 as March 1.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

const patterns = new Map<string, RE2JS>();
const MAX_PATTERNS = 200;

/** Matches in linear time, whatever the pattern. Throws for a pattern outside RE2's syntax. */
export function compiled(pattern: string): RE2JS {
  const known = patterns.get(pattern);
  if (known) return known;
  if (patterns.size >= MAX_PATTERNS) patterns.clear();
  const made = RE2JS.compile(pattern);
  patterns.set(pattern, made);
  return made;
}

/** The value of an attribute, whose name can be that of a member that every object has. */
export const valueOf = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** In the order of names, so that equal values have equal JSON. */
export const sortedValues = (values: AttributeValues): AttributeValues =>
  Object.fromEntries(Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1)));

/** Of all values of a user, as JSON. */
export const MAX_VALUES_BYTES = 8 * 1024;

export const isTooLong = (values: AttributeValues): boolean =>
  Buffer.byteLength(JSON.stringify(values)) > MAX_VALUES_BYTES;

/** How values are compared: without case. Each key once. */
export const keysOf = (value: AttributeValue): string[] =>
  Array.isArray(value) ? [...new Set(value.map(keyOf))] : [keyOf(value as Exclude<AttributeValue, readonly string[]>)];

/** In code points. Keys are part of an index, and values from a time with a higher limit would not fit. */
const MAX_KEY = 2 * DEFAULT_MAX_LENGTH;

/** How a text is compared with values. Lower case can be twice as long. */
export const keyOf = (value: string | number | boolean): string =>
  Array.from(String(value).normalize('NFC').toLowerCase()).slice(0, MAX_KEY).join('');
