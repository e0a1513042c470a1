import { isObject, ValidateBy, ValidationOptions } from 'class-validator';
import { FieldProblem, ProblemParams } from '../errors';
import { FieldValidator, Violation } from './field-validator';

/** What an answer says of a field that breaks a constraint; carried by each constraint of ours as its context. */
export type Problems = (field: string, value: unknown) => FieldProblem[];

export interface ConstraintContext {
  readonly problems: Problems;
}

const problem = (field: string, { code, params }: Violation): FieldProblem => ({
  field,
  code,
  ...(params && { params }),
});

/** The options by which a constraint of class-validator is named by a stable code and its limits. */
export const named = (code: string, params?: ProblemParams): ValidationOptions => ({
  message: code,
  context: { problems: (field) => [problem(field, { code, params })] } satisfies ConstraintContext,
});

/**
 * A constraint of our making, broken where there are problems. Those of one property need different names, as class-validator keeps
 * their contexts by name.
 */
export const Judged = (name: string, problems: Problems): PropertyDecorator =>
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

/** Every entry that breaks a rule, named by its place; class-validator's `each` names the list alone. */
export const ofEach =
  (entryProblems: Problems): Problems =>
  (field, list) =>
    Array.isArray(list) ? list.flatMap((entry, index) => entryProblems(`${field}[${index}]`, entry)) : [];

export const unknownFields = (names: readonly string[], known: ReadonlySet<string>): FieldProblem[] =>
  names.filter((name) => !known.has(name)).map((field) => ({ field, code: 'unknown_field' }));

/** An object judged by a rule for each of its fields, and no other. */
export function ofRow(rules: Readonly<Record<string, FieldValidator>>): Problems {
  const judges = Object.entries(rules).map(([name, rule]) => [name, byRule(rule)] as const);
  const known = new Set(Object.keys(rules));
  return (field, row) => {
    if (!isObject<Record<string, unknown>>(row)) return [{ field, code: 'type_object' }];
    const unknown = unknownFields(Object.keys(row), known);
    return [
      ...unknown.map(({ field: name, code }) => ({ field: `${field}.${name}`, code })),
      ...judges.flatMap(([name, problems]) => problems(`${field}.${name}`, row[name])),
    ];
  };
}
