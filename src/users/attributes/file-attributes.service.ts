import { Injectable } from '@nestjs/common';
import { AttributeKey } from './attribute-key.entity';
import { AttributeKeyRepository, nameOfKey, ValueKey } from './attribute-key.repository';
import { AttributeCache } from './attribute.cache';
import { Attribute, AttributeType, hasKeys } from './attribute.entity';
import { AttributeRepository } from './attribute.repository';
import { AttributeValue, AttributeValues, isTooLong, keysOf, readAttribute, sortedValues } from './attribute-value';

/** The columns of CSV files that have values of attributes begin with it. */
export const ATTRIBUTE_COLUMN = 'attributes.';

/** What a file gives a new user, by the names of the file. */
export interface GivenValues {
  readonly userId: string;
  readonly given: Readonly<Record<string, unknown>>;
}

/** The values of new users that can be stored. */
export interface FileValues {
  /** By id. No entry: none. */
  readonly values: ReadonlyMap<string, AttributeValues>;
  /** Users with a value that is not valid here, that another user has, or that only directories write. */
  readonly leftOut: ReadonlySet<string>;
  readonly keys: readonly AttributeKey[];
}

/** Reads values of many users at once, from files that have texts for all types. */
@Injectable()
export class FileAttributesService {
  constructor(
    private readonly cache: AttributeCache,
    private readonly attributes: AttributeRepository,
    private readonly keys: AttributeKeyRepository,
  ) {}

  /**
   * Reads the values of attributes that are defined here, under the same name or one that is spelled like `employeeNo` or
   * `employee-no`; others are ignored. Call it in the transaction that stores them, which keeps the definitions.
   * @param taken the unique values that earlier users of the file get; those of these users are added
   */
  async read(users: readonly GivenValues[], taken = new Set<string>()): Promise<FileValues> {
    const names = new Set((await this.cache.get()).map(({ name }) => name));
    const nameOf = (given: string): string | undefined => [given, snakeNameOf(given)].find((name) => names.has(name));
    const wanted = new Set(users.flatMap(({ given }) => Object.keys(given).flatMap((name) => nameOf(name) ?? [])));
    if (wanted.size === 0) return { values: new Map(), leftOut: new Set(), keys: [] };
    const defined = new Map((await this.attributes.findForWriting([...wanted])).map((found) => [found.name, found]));
    const leftOut = new Set<string>();
    const read = users.map(({ userId, given }) => {
      const { values, isWhole } = readAll(given, (name) => defined.get(nameOf(name) ?? ''));
      if (!isWhole) leftOut.add(userId);
      return { userId, values };
    });
    const unique = [...defined.values()].filter((attribute) => attribute.unique);
    const stored = await this.keys.findUnique(read.flatMap(({ values }) => keysAmong(values, unique)));
    for (const key of stored) taken.add(nameOfKey(key));
    for (const user of read) if (takeUnique(user.values, unique, taken)) leftOut.add(user.userId);
    const keyed = [...defined.values()].filter(hasKeys);
    return {
      values: new Map(read.map(({ userId, values }) => [userId, sortedValues(Object.fromEntries(values))])),
      leftOut,
      keys: read.flatMap(({ userId, values }) => keysOfUser(userId, values, keyed)),
    };
  }

  /** Call it after the users are stored. Violates `user_attribute_key_unique` if another transaction took a value. */
  store({ keys }: FileValues): Promise<void> {
    return this.keys.add(keys);
  }
}

type Values = Map<string, AttributeValue>;

function readAll(
  given: GivenValues['given'],
  attributeOf: (name: string) => Attribute | undefined,
): { values: Values; isWhole: boolean } {
  const values: Values = new Map();
  let isWhole = true;
  for (const [name, input] of Object.entries(given)) {
    const attribute = attributeOf(name);
    if (!attribute) continue;
    const read = readAttribute(attribute, typedOf(attribute, input));
    if ('problem' in read || (attribute.source === 'directory' && read.value !== null)) isWhole = false;
    else if (read.value !== null) values.set(attribute.name, read.value);
  }
  return isTooLong(Object.fromEntries(values)) ? { values: new Map(), isWhole: false } : { values, isWhole };
}

/** Drops values that other users have. Returns whether there was one. */
function takeUnique(values: Values, unique: readonly Attribute[], taken: Set<string>): boolean {
  let isDropped = false;
  for (const attribute of unique) {
    const own = keysAmong(values, [attribute]).map(nameOfKey);
    if (own.some((key) => taken.has(key))) {
      values.delete(attribute.name);
      isDropped = true;
    } else for (const key of own) taken.add(key);
  }
  return isDropped;
}

const keysAmong = (values: Values, attributes: readonly Attribute[]): ValueKey[] =>
  attributes.flatMap(({ name: attribute }) => {
    const value = values.get(attribute);
    return value === undefined ? [] : keysOf(value).map((key) => ({ attribute, key }));
  });

const keysOfUser = (userId: string, values: Values, keyed: readonly Attribute[]): AttributeKey[] =>
  keyed.flatMap((attribute) =>
    keysAmong(values, [attribute]).map((key) => ({ userId, ...key, isUnique: attribute.unique })),
  );

/** `employeeNo` and `Employee-No` are `employee_no`. */
const snakeNameOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();

/** The value with the type of the attribute, as far as a text can be one. */
function typedOf({ type }: Attribute, input: unknown): unknown {
  if (type === 'text_list') return typeof input === 'string' && input !== '' ? input.split(/\r?\n/) : input;
  const single = singleOf(input);
  return typeof single === 'string' ? FROM_TEXT[type](single.trim()) : single;
}

/** Some systems have lists for all values. */
const singleOf = (input: unknown): unknown =>
  Array.isArray(input) && input.length <= 1 ? ((input[0] as unknown) ?? null) : input;

const asIs = (text: string): string => text;

const FROM_TEXT: Readonly<Record<Exclude<AttributeType, 'text_list'>, (text: string) => unknown>> = {
  text: asIs,
  date: asIs,
  choice: asIs,
  number: (text) => (text === '' || Number.isNaN(Number(text)) ? text : Number(text)),
  boolean: (text) => ({ true: true, false: false })[text.toLowerCase()] ?? text,
};
