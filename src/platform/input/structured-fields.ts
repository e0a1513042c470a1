import { Type } from '@nestjs/common';
import { field, FieldOptions } from './fields';
import { booleanRule, listRule, objectRule, textRule } from './rule';

/** Objects in a list, each checked by its own class: a violation is named as in `updates[2].value`. */
export function ListField(
  item: () => Type<object>,
  options: FieldOptions & { min?: number; max: number },
): PropertyDecorator {
  return field(
    listRule(options, objectRule),
    options,
    {
      type: () => [item()],
      maxItems: options.max,
      ...(options.min && { minItems: options.min }),
    },
    { item },
  );
}

/** An object of another's making, whose inside is judged by whoever takes it. */
export function ObjectField(options: FieldOptions): PropertyDecorator {
  return field(objectRule, options, { type: 'object', additionalProperties: true });
}

/** Any JSON value; whoever takes it judges it. */
export function JsonField(options: FieldOptions): PropertyDecorator {
  return field(() => undefined, options, {
    nullable: true,
    oneOf: [
      { type: 'string' },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'array', items: {} },
      { type: 'object' },
    ],
  });
}

/** true or false in a query string, where everything arrives as text. */
export function QueryBooleanField(options: FieldOptions): PropertyDecorator {
  const words = new Map<unknown, boolean>([
    ['true', true],
    ['false', false],
  ]);
  return field(booleanRule, options, { type: Boolean }, { read: (value) => words.get(value) ?? value });
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
  return field(textRule({ max: 40, check }), options, { type: String, format: 'date-time' });
}
