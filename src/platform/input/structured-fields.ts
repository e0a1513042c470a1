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
import { byRule, Judged, named, ofEach, ofRow, Problems } from './constraints';
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
    Judged('isListOf', ofEach(entryProblems)),
  );

const sizes = ({ min, max }: Size): ApiPropertyOptions => ({ maxItems: max, ...(min && { minItems: min }) });

export function IdListField(options: FieldOptions & { min?: number; max: number }): PropertyDecorator {
  return field(options, { type: [String], format: 'uuid', ...sizes(options) }, ListOf(byRule(idRule), options));
}

/** Texts in a list, each within the limits of `entry`. */
export function TextListField(options: FieldOptions & Size & { entry: TextLimits }): PropertyDecorator {
  return field(options, { type: [String], ...sizes(options) }, ListOf(byRule(textRule(options.entry)), options));
}

/** Some of the options. */
export function ChoiceListField(
  options: FieldOptions & { options: readonly string[]; min?: number },
): PropertyDecorator {
  const { options: choices, min } = options;
  const schema = { type: [String], enum: [...choices], ...(min && { minItems: min }) } as ApiPropertyOptions;
  return field(options, schema, ListOf(byRule(choiceRule(choices)), { ...options, max: choices.length }));
}

/**
 * Objects in a list, each checked by its own class: a violation is named as in `updates[2].value`. Of a list that is none, or is too long,
 * no entry becomes an instance: they cost more to make than to send.
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
    // Before the entries' own fields: `ValidateNested` takes an empty list for an entry that holds.
    ListOf(byRule(objectRule), options),
    ValidateNested({ each: true }),
  );
}

/**
 * Objects in a list, judged by a rule for each of their fields, in one constraint for all; `item` is what the document shows. For long lists that
 * are sent often: class-validator looks up what it knows of an entry's class for each entry, 15 microseconds for one of three fields.
 */
export function RowListField(
  item: () => Class<object>,
  options: FieldOptions & Size & { rules: Readonly<Record<string, FieldValidator>> },
): PropertyDecorator {
  return field(
    options,
    { type: () => [item()], ...sizes(options) },
    // A host's pipe with implicit conversion would make lists of the entries.
    Type(() => Object),
    ListOf(ofRow(options.rules), options),
  );
}

/** An object of another's making, whose inside is judged by whoever takes it. */
export function ObjectField({
  values = true,
  ...options
}: FieldOptions & { values?: object | true }): PropertyDecorator {
  const schema = { type: 'object', additionalProperties: values } as ApiPropertyOptions;
  return field(options, schema, IsObject(named('type_object')));
}

/** Any JSON value, null too; the reader validates it. */
export function JsonField(options: Omit<FieldOptions, 'nullable'>): PropertyDecorator {
  const schema: ApiPropertyOptions = {
    // OpenAPI 3.0.3: null is allowed beside a type alone.
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

/** true or false in a query string, where everything arrives as text. */
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

function isTime(value: string): boolean {
  const [, year, month, day] = TIME.exec(value) ?? [];
  // JavaScript takes the 30th of February for the 1st of March.
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(day) <= lastDay && !Number.isNaN(Date.parse(value));
}

/** A moment with its offset, RFC 3339. */
export function TimeField(options: FieldOptions): PropertyDecorator {
  const check = (value: string): string | undefined => (isTime(value) ? undefined : 'time');
  return field(options, { type: String, format: 'date-time' }, Judged('isTime', byRule(textRule({ max: 40, check }))));
}
