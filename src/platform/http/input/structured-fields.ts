import { applyDecorators, Type as Class } from '@nestjs/common';
import { ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  isObject,
  IsObject,
  ValidateNested,
} from 'class-validator';
import { byRule, ValidatedBy, named, ofEach, ofRow, Problems } from './constraints';
import { field, FieldOptions } from './fields';
import { choiceRule, idRule, objectRule, FieldValidator, TextLimits, textRule } from './field-validator';

interface Size {
  readonly min?: number;
  readonly max: number;
}

const ListOf = (entryProblems: Problems, { min = 0, max }: Size): PropertyDecorator =>
  applyDecorators(
    IsArray(named('type_list')),
    ArrayMinSize(min, named('min_items', { min })),
    ArrayMaxSize(max, named('max_items', { max })),
    ValidatedBy('isListOf', ofEach(entryProblems)),
  );

const sizes = ({ min, max }: Size): ApiPropertyOptions => ({ maxItems: max, ...(min && { minItems: min }) });

export function IdListField(options: FieldOptions & { min?: number; max: number }): PropertyDecorator {
  return field(options, { type: [String], format: 'uuid', ...sizes(options) }, ListOf(byRule(idRule), options));
}

/** A list of texts within the limits of `entry`. */
export function TextListField(options: FieldOptions & Size & { entry: TextLimits }): PropertyDecorator {
  return field(options, { type: [String], ...sizes(options) }, ListOf(byRule(textRule(options.entry)), options));
}

/** A list of the options. */
export function ChoiceListField(
  options: FieldOptions & { options: readonly string[]; min?: number },
): PropertyDecorator {
  const { options: choices, min } = options;
  const schema = { type: [String], enum: [...choices], ...(min && { minItems: min }) } as ApiPropertyOptions;
  return field(options, schema, ListOf(byRule(choiceRule(choices)), { ...options, max: choices.length }));
}

/**
 * A list of objects, validated by their class; a violation is reported as `updates[2].value`. If the value is not a
 * list or is too long, no entry is instantiated: that would cost more than the request.
 */
export function ListField(
  item: () => Class<object>,
  options: FieldOptions & { min?: number; max: number },
): PropertyDecorator {
  const isWithin = (value: unknown): boolean =>
    Array.isArray(value) && value.length <= options.max && value.every((entry) => isObject(entry));
  return field(
    options,
    { type: () => [item()], ...sizes(options) },
    Type((parent) => (isWithin(parent?.object[parent.property]) ? item() : Object)),
    // Runs before the fields of the entries: `ValidateNested` accepts an empty list as a valid entry.
    ListOf(byRule(objectRule), options),
    ValidateNested({ each: true }),
  );
}

/** An object, validated by its class; a violation is reported as `access.mode`. */
export function NestedField(item: () => Class<object>, options: FieldOptions): PropertyDecorator {
  return field(
    options,
    { type: () => item() },
    // Instantiates objects only, because `ValidateNested` validates the entries of a list instead.
    Type((parent) => (objectRule(parent?.object[parent.property]) ? Object : item())),
    ValidatedBy('isNested', byRule(nestedRule)),
    ValidateNested(),
  );
}

const nestedRule: FieldValidator = (value) => (Array.isArray(value) ? { code: 'type_object' } : objectRule(value));

/**
 * A list of objects, validated by one rule per field in a single constraint; `item` is the OpenAPI class. For long,
 * frequent lists: class-validator looks up the metadata of the class for each entry, which takes 15 µs for three
 * fields.
 */
export function RowListField(
  item: () => Class<object>,
  options: FieldOptions & Size & { rules: Readonly<Record<string, FieldValidator>> },
): PropertyDecorator {
  return field(
    options,
    { type: () => [item()], ...sizes(options) },
    // A host's pipe with implicit conversion would turn the entries into lists.
    Type(() => Object),
    ListOf(ofRow(options.rules), options),
  );
}

/** An object that the caller defines and the reader validates. */
export function ObjectField({
  values = true,
  ...options
}: FieldOptions & { values?: object | true }): PropertyDecorator {
  const schema = { type: 'object', additionalProperties: values } as ApiPropertyOptions;
  return field(options, schema, IsObject(named('type_object')));
}

/** Any JSON value, including null; the reader validates it. */
export function JsonField(options: Omit<FieldOptions, 'nullable'>): PropertyDecorator {
  const schema: ApiPropertyOptions = {
    // OpenAPI 3.0.3 allows `nullable` only with a type.
    oneOf: [
      { type: 'string', nullable: true },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'array', items: {} },
      { type: 'object' },
    ],
  };
  return field(options, schema, Allow());
}

/** A boolean in a query string, where every value is a text. */
export function QueryBooleanField(options: FieldOptions): PropertyDecorator {
  const words = new Map<unknown, unknown>([
    ['true', true],
    ['false', false],
  ]);
  const Read = Transform(({ value }: { value: unknown }) => words.get(value) ?? value);
  return field(options, { type: Boolean }, Read, IsBoolean(named('type_boolean')));
}

// RFC 3339 §5.6.
const TIME = /^([12]\d{3})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** Whether the text is a date-time with offset (RFC 3339). */
export function isTime(value: string): boolean {
  const [, year, month, day] = TIME.exec(value) ?? [];
  // JavaScript reads February 30 as March 1.
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(day) <= lastDay && !Number.isNaN(Date.parse(value));
}

/** A date-time with offset (RFC 3339). */
export function TimeField(options: FieldOptions): PropertyDecorator {
  const check = (value: string): string | undefined => (isTime(value) ? undefined : 'time');
  return field(
    options,
    { type: String, format: 'date-time' },
    ValidatedBy('isTime', byRule(textRule({ max: 40, check }))),
  );
}
