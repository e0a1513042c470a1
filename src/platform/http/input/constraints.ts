import { isObject, ValidateBy, ValidationOptions } from 'class-validator';
import { FieldProblem, ProblemParams } from '../../errors';
import { FieldValidator, Violation } from './field-validator';

/** Returns the problems of a field for the response. Our constraints carry it as their context. */
export type Problems = (field: string, value: unknown) => FieldProblem[];

export interface ConstraintContext {
  readonly problems: Problems;
}

const problem = (field: string, { code, params }: Violation): FieldProblem => ({
  field,
  code,
  ...(params && { params }),
});

/** Options that give a constraint of class-validator a stable code and its limits. */
export const named = (code: string, params?: ProblemParams): ValidationOptions => ({
  message: code,
  context: { problems: (field) => [problem(field, { code, params })] } satisfies ConstraintContext,
});

/**
 * A constraint of our own, violated if `problems` returns any. Those of one property need different names, because
 * class-validator stores their contexts by name.
 */
export const ValidatedBy = (name: string, problems: Problems): PropertyDecorator =>
  ValidateBy(
    { name, validator: { validate: (value) => problems('', value).length === 0 } },
    {
      message: ({ value }) => problems('', value)[0]?.code ?? '',
      context: { problems } satisfies ConstraintContext,
    },
  );

export const byRule =
  (rule: FieldValidator): Problems =>
  (field, value) => {
    const violation = rule(value);
    return violation ? [problem(field, violation)] : [];
  };

/** Reports every invalid entry by its index; class-validator's `each` reports only the list. */
export const ofEach =
  (entryProblems: Problems): Problems =>
  (field, list) =>
    Array.isArray(list) ? list.flatMap((entry, index) => entryProblems(`${field}[${index}]`, entry)) : [];

export const unknownFields = (names: readonly string[], known: ReadonlySet<string>): FieldProblem[] =>
  names.filter((name) => !known.has(name)).map((field) => ({ field, code: 'unknown_field' }));

/** Validates an object with one rule per field; other fields are unknown. */
export function ofRow(rules: Readonly<Record<string, FieldValidator>>): Problems {
  const validators = Object.entries(rules).map(([name, rule]) => [name, byRule(rule)] as const);
  const known = new Set(Object.keys(rules));
  return (field, row) => {
    if (!isObject<Record<string, unknown>>(row)) return [{ field, code: 'type_object' }];
    const unknown = unknownFields(Object.keys(row), known);
    return [
      ...unknown.map(({ field: name, code }) => ({ field: `${field}.${name}`, code })),
      ...validators.flatMap(([name, problems]) => problems(`${field}.${name}`, row[name])),
    ];
  };
}
