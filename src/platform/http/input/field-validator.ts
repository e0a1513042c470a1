import { isIn, isObject } from 'class-validator';
import { ProblemParams } from '../../errors';
import { isId, isStorable } from '../../util';

export interface Violation {
  readonly code: string;
  readonly params?: ProblemParams;
}

/** Validates one value; undefined means valid. For rules that class-validator lacks. */
export type FieldValidator = (value: unknown) => Violation | undefined;

export interface TextLimits {
  readonly min?: number;
  readonly max: number;
  /** Read as people type identifiers: see `typedText`. */
  readonly typed?: boolean;
  /** Returns the code of the violated rule. */
  readonly check?: (value: string) => string | undefined;
}

/** class-validator counts UTF-16 units, and accepts NUL and lone surrogates. */
export function textRule({ min = 0, max, check }: TextLimits): FieldValidator {
  return (value): Violation | undefined => {
    if (typeof value !== 'string') return { code: 'type_text' };
    if (!isStorable(value)) return { code: 'well_formed' };
    const length = value.length > max * 2 ? value.length : Array.from(value).length;
    if (length < min) return { code: 'min_length', params: { min } };
    if (length > max) return { code: 'max_length', params: { max } };
    const code = check?.(value);
    return code === undefined ? undefined : { code };
  };
}

/** class-validator's `IsUUID` also accepts capitals. */
export const idRule: FieldValidator = (value) => (isId(value) ? undefined : { code: 'id' });

export const optional =
  (rule: FieldValidator): FieldValidator =>
  (value) =>
    value === undefined ? undefined : rule(value);

export const required =
  (rule: FieldValidator): FieldValidator =>
  (value) =>
    value === undefined ? { code: 'required' } : rule(value);

export const objectRule: FieldValidator = (value) => (isObject(value) ? undefined : { code: 'type_object' });

/** class-validator's `IsInt` also accepts 1e300. */
export function integerRule({ min, max }: { readonly min: number; readonly max: number }): FieldValidator {
  return (value): Violation | undefined => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return { code: 'type_integer' };
    if (value < min) return { code: 'min', params: { min } };
    return value > max ? { code: 'max', params: { max } } : undefined;
  };
}

export function choiceRule(options: readonly string[]): FieldValidator {
  return (value) => (isIn(value, options) ? undefined : { code: 'one_of', params: { options: options.join(', ') } });
}
