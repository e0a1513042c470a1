import * as fc from 'fast-check';
import type { OpenAPIV3 } from 'openapi-types';
import type { Schema } from '../support/documents/openapi-schemas';
import { resolve } from './api';

/** Meaningful values of the service by field name. */
export type Words = Readonly<Record<string, readonly (string | number | boolean)[]>>;

/** Edge cases of types, Unicode, numbers and language. */
export const hostileText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\r\nSet-Cookie: a=b',
    '\ud800',
    'x\udfff',
    '\u202eabc',
    '\ufe0f'.repeat(500),
    '\ufeff',
    "' OR 1=1--",
    '%_\\',
    '__proto__',
    'constructor',
    '../../etc/passwd',
    '${jndi:ldap://a}',
    '{{7*7}}',
    '<script>alert(1)</script>',
    'javascript:alert(1)',
    '//evil.example',
    '٣٤٥',
    'ſ',
    'аdmin',
    '1e309',
    'NaN',
    '-0',
    'null',
    '00000000-0000-0000-0000-000000000000',
    '{01900000-0000-7000-8000-000000000000}',
    'a'.repeat(65),
    'a'.repeat(300),
    'é'.repeat(5_000),
    '9'.repeat(400),
  ),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.string({ unit: 'binary', maxLength: 80 }),
);

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown[]>(null, true, false, 0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21, 1e300),
  fc.constantFrom<unknown[]>([], [[]], {}, [null], { $ne: 1 }, { length: 3 }, { toString: 1 }, { then: 1 }),
  fc.array(hostileText, { maxLength: 5 }),
  fc.jsonValue({ maxDepth: 4 }),
);

function text(schema: OpenAPIV3.SchemaObject): fc.Arbitrary<string> {
  if (schema.format === 'uuid') return fc.uuid({ version: 7 });
  if (schema.format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern));
  const minLength = schema.minLength ?? 0;
  const maxLength = Math.max(minLength, Math.min(schema.maxLength ?? 40, 60));
  return fc.oneof(
    fc.string({ unit: 'grapheme-ascii', minLength, maxLength }),
    fc.string({ unit: 'grapheme', minLength, maxLength }),
    fc.constant(typeof schema.example === 'string' ? schema.example : 'x'.repeat(minLength || 1)),
  );
}

function object(schema: OpenAPIV3.SchemaObject, words: Words): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {});
  const model = Object.fromEntries(properties.map(([name, child]) => [name, validValue(child, words, name)]));
  const record = fc.record(model, { requiredKeys: schema.required ?? [] });
  if (schema.additionalProperties === undefined || schema.additionalProperties === false) return record;
  const value = schema.additionalProperties === true ? hostileValue : validValue(schema.additionalProperties, words);
  return fc.dictionary(fc.string({ maxLength: 10 }), value, { maxKeys: 3 });
}

const MIN_INTEGER = -(2 ** 31);
const MAX_INTEGER = 2 ** 31 - 1;

type Maker = (schema: OpenAPIV3.SchemaObject, words: Words, name?: string) => fc.Arbitrary<unknown>;
const BY_TYPE: Readonly<Record<string, Maker>> = {
  string: text,
  boolean: () => fc.boolean(),
  number: () => fc.double({ noNaN: true, noDefaultInfinity: true }),
  integer: ({ minimum = MIN_INTEGER, maximum = MAX_INTEGER }) =>
    fc.integer({ min: minimum, max: Math.min(maximum, MAX_INTEGER) }),
  array: (schema, words, name) => {
    const items = 'items' in schema ? schema.items : {};
    return fc.array(validValue(items, words, name), { minLength: schema.minItems ?? 0, maxLength: 4 });
  },
  object,
};

function bare(schema: OpenAPIV3.SchemaObject, words: Words, name?: string): fc.Arbitrary<unknown> {
  const union = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (union) return fc.oneof(...union.map((one) => validValue(one, words, name)));
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
  return BY_TYPE[schema.type ?? '']?.(schema, words, name) ?? hostileValue;
}

/** Values that the schema allows, often meaningful ones. */
export function validValue(schema: Schema, words: Words, name?: string): fc.Arbitrary<unknown> {
  const plain = resolve(schema);
  const known = name === undefined ? undefined : words[name];
  const isScalar = plain.type !== 'array' && plain.type !== 'object';
  const value = bare(plain, words, name);
  const told = known && isScalar ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, value) : value;
  return plain.nullable === true ? fc.option(told, { freq: 6 }) : told;
}

type Tree = Record<string, unknown> | unknown[];
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** Every position in the value, as its container and key. */
function placesIn(value: unknown): [Tree, string][] {
  if (!isTree(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => [[value, key] as [Tree, string], ...placesIn(child)]);
}

export type Mutation = (holder: Tree, key: string, value: unknown) => void;
const put = (holder: Tree, key: string, value: unknown): void => {
  (holder as Record<string, unknown>)[key] = value;
};

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'is something else': put,
  'is left out': (holder, key) => {
    Reflect.deleteProperty(holder, key);
  },
  'is in a list': (holder, key) => {
    put(holder, key, [(holder as Record<string, unknown>)[key]]);
  },
  'is null': (holder, key) => {
    put(holder, key, null);
  },
  'has an unknown neighbour': (holder, key, value) => {
    put(holder, `${key}x`, value);
  },
  'is a prototype’s': (holder, _key, value) => {
    Object.defineProperty(holder, '__proto__', { value, enumerable: true, configurable: true, writable: true });
  },
};

/** A valid value with one error at any position. */
export function nearlyValid(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.constantFrom(...Object.keys(MUTATIONS));
  return fc.tuple(valid, fc.nat(), change, hostileValue).map(([good, place, name, value]) => {
    const copy = structuredClone(good);
    const places = placesIn(copy);
    const [holder, key] = places[place % Math.max(places.length, 1)] ?? [];
    if (holder === undefined || key === undefined) return value;
    MUTATIONS[name]?.(holder, key, value);
    return copy;
  });
}
