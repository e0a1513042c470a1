import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptions, ApiSchema, ApiSchemaOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, ValidateIf } from 'class-validator';
import { byRule, ValidatedBy, named } from './constraints';
import { typedText } from '../../util';
import { idRule, integerRule, required, TextLimits, textRule } from './field-validator';

export interface FieldOptions {
  readonly description: string;
  /** Default: false, so a missing field is a violation. */
  readonly optional?: boolean;
  /** Accepts null, which clears the field. */
  readonly nullable?: boolean;
  readonly example?: unknown;
}

const DECLARED = Symbol('castellan.field');

const Once: PropertyDecorator = (target, name) => {
  if (Reflect.hasOwnMetadata(DECLARED, target, name)) {
    throw new Error(`${target.constructor.name}.${String(name)} is declared twice: only one of the rules would apply`);
  }
  Reflect.defineMetadata(DECLARED, true, target, name);
};

/**
 * Replaces `IsOptional`, which treats null as missing. Every field sets a condition, or it would inherit that of a
 * field that it overrides.
 */
const Presence = ({ optional = false, nullable = false }: FieldOptions): PropertyDecorator =>
  applyDecorators(
    ValidateIf((_, value) => !(optional && value === undefined) && !(nullable && value === null)),
    ...(optional ? [] : [ValidatedBy('isPresent', byRule(required(() => undefined)))]),
  );

/**
 * Applies constraints together with their OpenAPI schema, so that each limit is stated once. The first violated
 * constraint is reported.
 */
export function field(
  options: FieldOptions,
  schema: ApiPropertyOptions,
  ...constraints: PropertyDecorator[]
): PropertyDecorator {
  const described = {
    description: options.description,
    required: !options.optional,
    ...(options.nullable && { nullable: true }),
    ...(options.example !== undefined && { example: options.example }),
    ...schema,
  } as ApiPropertyOptions;
  return applyDecorators(Once, Presence(options), ...constraints, ApiProperty(described));
}

/** Sets the OpenAPI example of a whole class, for classes whose field examples exclude one another. */
export const WholeExample = (example: Readonly<Record<string, unknown>>, description?: string): ClassDecorator =>
  ApiSchema({ ...(description !== undefined && { description }), example } as ApiSchemaOptions);

/** Longer input stays as it is, and exceeds every limit. */
const MAX_TYPED = 1_000;

const readTyped = (value: unknown): unknown =>
  typeof value === 'string' && value.length <= MAX_TYPED && value.isWellFormed() ? typedText(value) : value;

const AsTyped = Transform(({ value }: { value: unknown }) => readTyped(value));

/** A text, measured in code points and trimmed only if it is `typed`. */
export function TextField(
  options: FieldOptions & TextLimits & { pattern?: string; format?: string },
): PropertyDecorator {
  const schema = {
    type: String,
    ...(options.min && { minLength: options.min }),
    maxLength: options.max,
    ...(options.pattern && { pattern: options.pattern }),
    ...(options.format && { format: options.format }),
  };
  return field(options, schema, ...(options.typed ? [AsTyped] : []), ValidatedBy('isText', byRule(textRule(options))));
}

export function IdField(options: FieldOptions): PropertyDecorator {
  return field(options, { type: String, format: 'uuid' }, ValidatedBy('isId', byRule(idRule)));
}

export function BooleanField(options: FieldOptions): PropertyDecorator {
  return field(options, { type: Boolean }, IsBoolean(named('type_boolean')));
}

export function IntegerField(options: FieldOptions & { min: number; max: number }): PropertyDecorator {
  const { min, max } = options;
  return field(
    options,
    { type: 'integer', minimum: min, maximum: max },
    ValidatedBy('isInteger', byRule(integerRule(options))),
  );
}

export function ChoiceField(options: FieldOptions & { options: readonly string[] }): PropertyDecorator {
  const choices = options.options;
  const isChoice = IsIn(choices, named('one_of', { options: choices.join(', ') }));
  return field(options, { type: String, enum: [...choices] }, isChoice);
}

const DECIMAL = /^-?\d{1,15}$/;

/** An integer in a query string, where every value is a text. */
export function QueryIntegerField(
  options: FieldOptions & { min: number; max: number; default?: number },
): PropertyDecorator {
  const { min, max, default: fallback } = options;
  const schema = {
    type: 'integer',
    minimum: min,
    maximum: max,
    ...(fallback !== undefined && { default: fallback }),
  } as const;
  const read = (value: unknown): unknown => (typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value);
  return field(
    options,
    schema,
    Transform(({ value }) => read(value)),
    ValidatedBy('isInteger', byRule(integerRule(options))),
  );
}
