import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptions, ApiSchema, ApiSchemaOptions } from '@nestjs/swagger';
import { DeclaredField, declareField } from './declared-fields';
import { booleanRule, choiceRule, idRule, integerRule, listRule, Rule, TextLimits, textRule } from './rule';

export interface FieldOptions {
  readonly description: string;
  /** Default false: a field left out is a violation. */
  readonly optional?: boolean;
  /** null is allowed and clears the field. */
  readonly nullable?: boolean;
  readonly example?: unknown;
}

function presence(rule: Rule, { optional = false, nullable = false }: FieldOptions): Rule {
  return (value) => {
    if (value === undefined) return optional ? undefined : { code: 'required' };
    if (value === null && nullable) return undefined;
    return rule(value);
  };
}

/** Binds a rule and its OpenAPI text to a property: the limit and its meaning are said once. */
export function field(
  rule: Rule,
  options: FieldOptions,
  schema: ApiPropertyOptions,
  more: Omit<DeclaredField, 'rule'> = {},
): PropertyDecorator {
  const declare: PropertyDecorator = (target, name) => {
    declareField(target.constructor as new () => object, String(name), { rule: presence(rule, options), ...more });
  };
  const described = {
    description: options.description,
    required: !options.optional,
    ...(options.nullable && { nullable: true }),
    ...(options.example !== undefined && { example: options.example }),
    ...schema,
  } as ApiPropertyOptions;
  return applyDecorators(declare, ApiProperty(described));
}

/** An example of the whole, where those of the fields contradict one another: some stand for others. */
export const WholeExample = (example: Readonly<Record<string, unknown>>, description?: string): ClassDecorator =>
  ApiSchema({ ...(description !== undefined && { description }), example } as ApiSchemaOptions);

/** Text, measured in code points, never trimmed. */
export function TextField(
  options: FieldOptions & TextLimits & { pattern?: string; format?: string },
): PropertyDecorator {
  return field(textRule(options), options, {
    type: String,
    ...(options.min && { minLength: options.min }),
    maxLength: options.max,
    ...(options.pattern && { pattern: options.pattern }),
    ...(options.format && { format: options.format }),
  });
}

export function IdField(options: FieldOptions): PropertyDecorator {
  return field(idRule, options, { type: String, format: 'uuid' });
}

export function BooleanField(options: FieldOptions): PropertyDecorator {
  return field(booleanRule, options, { type: Boolean });
}

export function IntegerField(options: FieldOptions & { min: number; max: number }): PropertyDecorator {
  return field(integerRule(options), options, { type: 'integer', minimum: options.min, maximum: options.max });
}

export function ChoiceField(options: FieldOptions & { options: readonly string[] }): PropertyDecorator {
  return field(choiceRule(options.options), options, { type: String, enum: [...options.options] });
}

export function IdListField(options: FieldOptions & { min?: number; max: number }): PropertyDecorator {
  return field(listRule(options, idRule), options, {
    type: [String],
    format: 'uuid',
    maxItems: options.max,
    ...(options.min && { minItems: options.min }),
  });
}

const DECIMAL = /^-?\d{1,15}$/;

/** A whole number in a query string, where everything arrives as text. */
export function QueryIntegerField(
  options: FieldOptions & { min: number; max: number; default?: number },
): PropertyDecorator {
  const { default: fallback } = options;
  const schema: ApiPropertyOptions = {
    type: 'integer',
    minimum: options.min,
    maximum: options.max,
    ...(fallback !== undefined && { default: fallback }),
  };
  const read = (value: unknown): unknown => (typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value);
  return field(integerRule(options), options, schema, { read });
}
