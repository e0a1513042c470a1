import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, ValidationError, Validator, ValidatorOptions } from 'class-validator';
import { FieldProblem, platformErrors, ProblemError } from '../../errors';
import { isJsonObject, snakeCase } from '../../util';
import { ConstraintContext, unknownFields } from './constraints';
import { findMalformedKeys } from './input-shape';

/** Maximum number of problems in one response: a body of only unknown names does not deserve a larger response. */
const MAX_PROBLEMS = 100;

const STRICT: ValidatorOptions = {
  whitelist: true,
  forbidNonWhitelisted: true,
  // It would reject classes without fields. The option above already rejects unknown names.
  forbidUnknownValues: false,
  stopAtFirstError: true,
  validationError: { target: false },
};
const VALIDATOR = new Validator();

type Constructor<T extends object> = new () => T;

export const validationError = (fields: readonly FieldProblem[]): ProblemError =>
  platformErrors.validationFailed({ fields: fields.slice(0, MAX_PROBLEMS) });

/** Returns the names of the fields that a class declares or inherits. */
export const fieldsOf = (type: Constructor<object>): ReadonlySet<string> =>
  new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(type, '', false, false)
      .map(({ propertyName }) => propertyName),
  );

function problemsOf(
  errors: readonly ValidationError[],
  at: (property: string) => string = (name) => name,
): FieldProblem[] {
  return errors.flatMap(({ property, value, constraints = {}, contexts = {}, children = [] }) => {
    const field = at(property);
    const own = Object.keys(constraints).flatMap((name): FieldProblem[] => {
      if (name === 'whitelistValidation') return [{ field, code: 'unknown_field' }];
      const context = contexts[name] as Partial<ConstraintContext> | undefined;
      return context?.problems?.(field, value) ?? [{ field, code: snakeCase(name) }];
    });
    const isList = Array.isArray(value);
    return [...own, ...problemsOf(children, (name) => (isList ? `${field}[${name}]` : `${field}.${name}`))];
  });
}

/**
 * Rejects deep nesting and floods of names before class-transformer and class-validator see them: both would cost more
 * than the request.
 */
function rejectHostile(type: Constructor<object>, plain: object): void {
  const malformed = findMalformedKeys(plain);
  if (malformed.length > 0) throw validationError(malformed);
  const names = Object.keys(plain);
  if (names.length <= MAX_PROBLEMS) return;
  const unknown = unknownFields(names, fieldsOf(type));
  if (unknown.length >= MAX_PROBLEMS) throw validationError(unknown);
}

/** Converts plain input to an instance of `type`. Errors: `validation_failed`, naming each invalid or unknown field. */
export function checkInput<T extends object>(type: Constructor<T>, input: unknown): T {
  if (input !== undefined && input !== null && !isJsonObject(input)) {
    throw validationError([{ field: '', code: 'type_object' }]);
  }
  const plain = input ?? {};
  rejectHostile(type, plain);
  const instance = plainToInstance(type, plain);
  const errors = VALIDATOR.validateSync(instance, STRICT);
  if (errors.length > 0) throw validationError(problemsOf(errors));
  return instance;
}
