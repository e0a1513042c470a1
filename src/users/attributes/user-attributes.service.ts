import { Injectable } from '@nestjs/common';
import { FieldProblem, platformErrors } from '../../platform/errors';
import { andThen, MaybePromise } from '../../platform/util';
import { AttributeCache } from './attribute.cache';
import { Attribute } from './attribute.entity';
import { attributeErrors, ofAttributes } from './attribute.errors';
import { AttributeRepository } from './attribute.repository';
import {
  AttributeValue,
  AttributeValues,
  isTooLong,
  keyOf,
  MAX_VALUES_BYTES,
  readAttribute,
  sortedValues,
  valueOf,
} from './attribute-value';

/** Who reads or writes: the user, or somebody who administers users. */
export type AttributeParty = 'owner' | 'administrator';

/** What users are found by. */
export interface SearchedAttribute {
  readonly name: string;
  readonly key: string;
}

type Input = Readonly<Record<string, unknown>>;

/** Reads and changes the values of users, by what each party may do. */
@Injectable()
export class UserAttributesService {
  constructor(
    private readonly cache: AttributeCache,
    private readonly attributes: AttributeRepository,
  ) {}

  /** The values that the party may read, in the order of the attributes. */
  shown(values: AttributeValues, party: AttributeParty): MaybePromise<AttributeValues> {
    return andThen(this.cache.get(), (attributes) => shownValues(attributes, values, party));
  }

  /** By position, then name. */
  all(): MaybePromise<readonly Attribute[]> {
    return this.cache.get();
  }

  /** The attributes that the owner may read, for forms. */
  async ofOwner(): Promise<readonly Attribute[]> {
    return (await this.cache.get()).filter(({ owner }) => owner !== 'none');
  }

  /** The attributes that a form of registration asks for. */
  async ofRegistration(): Promise<readonly Attribute[]> {
    return (await this.cache.get()).filter(({ required }) => required === 'registration');
  }

  /** Reads `name:value`. Throws `validation_failed` unless users can be found by the attribute. */
  async searched(filter: string): Promise<SearchedAttribute> {
    const [name, value] = [filter.slice(0, filter.indexOf(':')), filter.slice(filter.indexOf(':') + 1)];
    const attribute = (await this.cache.get()).find((known) => known.name === name);
    const code = !attribute?.searchable
      ? 'attribute_not_searchable'
      : attribute.indexedTo === null
        ? undefined
        : 'attribute_not_indexed';
    if (code) throw platformErrors.validationFailed({ fields: [{ field: 'attribute', code }] });
    return { name, key: keyOf(value.trim()) };
  }

  /** Whether the user must give values before anything else. Called at every request. */
  isDue(values: AttributeValues): MaybePromise<boolean> {
    return andThen(this.cache.get(), (attributes) => areMissing(attributes, values));
  }

  /**
   * The values after the change; the same object if nothing changes. null removes a value. Throws `attribute_unknown`,
   * `attribute_read_only` or `validation_failed`. Call in the transaction that stores them.
   */
  async changed(before: AttributeValues, input: Input, party: AttributeParty): Promise<AttributeValues> {
    const names = Object.keys(input);
    if (names.length === 0) return before;
    const attributes = await this.attributes.findForWriting(names);
    requireWritable(attributes, names, party);
    const { values, problems } = readAll(attributes, input);
    if (party === 'owner') problems.push(...removedDuties(attributes, values));
    const after = merged(before, values);
    if (problems.length === 0 && isTooLong(after)) {
      problems.push({ field: 'attributes', code: 'attribute_bytes', params: { max: MAX_VALUES_BYTES } });
    }
    if (problems.length > 0) throw platformErrors.validationFailed({ fields: problems });
    return JSON.stringify(after) === JSON.stringify(sortedValues(before)) ? before : after;
  }

  /** The values of a new user who registered with them. Throws like `changed`. Call in the transaction that stores them. */
  async registered(input: Input): Promise<AttributeValues> {
    const problems = await this.problemsOfRegistration(input);
    if (problems.length > 0) throw platformErrors.validationFailed({ fields: problems });
    return this.changed({}, input, 'owner');
  }

  /** The problems of the attributes of a registration. */
  async problemsOfRegistration(input: Input): Promise<FieldProblem[]> {
    const attributes = (await this.cache.get()).filter(({ owner }) => owner === 'write');
    const known = attributes.filter(({ name }) => Object.hasOwn(input, name));
    const missing = attributes.filter(
      ({ name, required }) => required === 'registration' && isMissing(valueOf(input, name)),
    );
    return [
      ...missing.map(({ name }) => ({ field: `attributes.${name}`, code: 'required' })),
      ...readAll(known, input).problems,
    ];
  }
}

/** The values that the party may read, in the order of the attributes. */
export function shownValues(
  attributes: readonly Attribute[],
  values: AttributeValues,
  party: AttributeParty,
): AttributeValues {
  const readable = attributes.filter(({ owner }) => party === 'administrator' || owner !== 'none');
  return Object.fromEntries(
    readable.flatMap(({ name }) => {
      const value = valueOf(values, name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Whether values are missing that the user must give before anything else. */
const areMissing = (attributes: readonly Attribute[], values: AttributeValues): boolean =>
  attributes.some(({ name, required }) => required === 'login' && valueOf(values, name) === undefined);

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Throws `attribute_unknown` or `attribute_read_only`. What a party may not read, it does not know. */
function requireWritable(attributes: readonly Attribute[], names: readonly string[], party: AttributeParty): void {
  const known = new Map(attributes.map((attribute) => [attribute.name, attribute]));
  const unknown = names.filter((name) => {
    const attribute = known.get(name);
    return !attribute || (party === 'owner' && attribute.owner === 'none');
  });
  if (unknown.length > 0) throw ofAttributes(attributeErrors.attributeUnknown, unknown);
  const readOnly = attributes.filter(({ owner, source }) =>
    party === 'owner' ? owner !== 'write' : source === 'directory',
  );
  if (readOnly.length === 0) return;
  throw ofAttributes(
    attributeErrors.attributeReadOnly,
    readOnly.map(({ name }) => name),
  );
}

interface ReadValues {
  readonly values: ReadonlyMap<string, AttributeValue | null>;
  readonly problems: FieldProblem[];
}

function readAll(attributes: readonly Attribute[], input: Input): ReadValues {
  const values = new Map<string, AttributeValue | null>();
  const problems: FieldProblem[] = [];
  for (const attribute of attributes) {
    const read = readAttribute(attribute, input[attribute.name]);
    if ('problem' in read) problems.push({ field: `attributes.${attribute.name}`, ...read.problem });
    else values.set(attribute.name, read.value);
  }
  return { values, problems };
}

/** Owners change what they must give, but do not remove it. */
const removedDuties = (attributes: readonly Attribute[], values: ReadValues['values']): FieldProblem[] =>
  attributes
    .filter(({ name, required }) => required !== 'no' && values.get(name) === null)
    .map(({ name }) => ({ field: `attributes.${name}`, code: 'required' }));

function merged(before: AttributeValues, change: ReadValues['values']): AttributeValues {
  const after = new Map<string, AttributeValue | null>([...Object.entries(before), ...change]);
  return sortedValues(
    Object.fromEntries([...after].filter((entry): entry is [string, AttributeValue] => entry[1] !== null)),
  );
}
