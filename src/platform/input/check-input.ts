import { plainToInstance } from 'class-transformer';
import { validate, ValidationError } from 'class-validator';
import { FieldProblem, platformErrors, ProblemError } from '../errors';
import { isJsonObject } from '../text';
import { sortInput } from './declared-fields';
import { FieldContext } from './fields';
import { findMisshapen } from './input-shape';
import { problemsAt } from './rule';

/** Problems named in one answer: a body of nothing but unknown names is not worth an answer larger than itself. */
const MOST_PROBLEMS = 100;

const childPath = (parent: string, error: ValidationError): string => {
  if (/^\d+$/.test(error.property)) return `${parent}[${error.property}]`;
  return parent === '' ? error.property : `${parent}.${error.property}`;
};

function problemsOf(error: ValidationError, parent: string): FieldProblem[] {
  const field = childPath(parent, error);
  const nested = (error.children ?? []).flatMap((child) => problemsOf(child, field));
  if (error.constraints?.['whitelistValidation']) return [{ field, code: 'unknown_field' }, ...nested];
  const context = error.contexts?.['field'] as FieldContext | undefined;
  const violation = context?.rule(error.value);
  if (violation) return problemsAt(field, violation);
  if (nested.length > 0) return nested;
  return error.constraints ? [{ field, code: 'type_object' }] : [];
}

/** Types whose rules an input without a single field breaks none of; asked once, as many a request brings nothing else. */
const contentWithNothing = new WeakSet<object>();

async function brokenRules<T extends object>(
  type: new () => T,
  instance: T,
  isEmpty: boolean,
): Promise<ValidationError[]> {
  if (isEmpty && contentWithNothing.has(type)) return [];
  const errors = await validate(instance, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    validationError: { target: false, value: true },
  });
  if (isEmpty && errors.length === 0) contentWithNothing.add(type);
  return errors;
}

export const fieldsRefused = (fields: readonly FieldProblem[]): ProblemError =>
  platformErrors.validationFailed({ fields: fields.slice(0, MOST_PROBLEMS) });

/**
 * Turns plain input into `type`, or throws `validation_failed` naming the fields that broke a rule. Unknown fields are
 * refused, so nothing is assigned in bulk.
 */
export async function checkInput<T extends object>(type: new () => T, input: unknown): Promise<T> {
  if (input !== undefined && input !== null && !isJsonObject(input)) {
    throw fieldsRefused([{ field: '', code: 'type_object' }]);
  }
  const plain = input ?? {};
  const misshapen = findMisshapen(plain);
  if (misshapen.length > 0) throw fieldsRefused(misshapen);
  const { fitting, misfits } = sortInput(type, plain);
  const instance = plainToInstance(type, fitting, { exposeUnsetFields: false });
  const errors = await brokenRules(type, instance, Object.keys(plain).length === 0);
  if (misfits.length === 0 && errors.length === 0) return instance;
  // A field that was sorted out is not missing.
  const others = errors.filter(({ property }) => property in fitting || !(property in plain));
  throw fieldsRefused([...misfits, ...others.flatMap((error) => problemsOf(error, ''))]);
}
