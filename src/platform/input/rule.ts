import { FieldProblem, ProblemParams } from '../errors';
import { isJsonObject, isStorable } from '../text';

export interface Violation {
  readonly code: string;
  readonly params?: ProblemParams;
  /** Of a list whose entries break a rule: which of them, and how. The first one stands for the list. */
  readonly entries?: readonly { readonly index: number; readonly violation: Violation }[];
}

/** Judges one value of a field; undefined means it holds. */
export type Rule = (value: unknown) => Violation | undefined;

export interface TextLimits {
  readonly min?: number;
  readonly max: number;
  /** Gives the code of the rule that the text breaks. */
  readonly check?: (value: string) => string | undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const isId = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

export function textRule({ min = 0, max, check }: TextLimits): Rule {
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

export const idRule: Rule = (value) => (isId(value) ? undefined : { code: 'id' });

/** A JSON object, whatever is in it. */
export const objectRule: Rule = (value) => (isJsonObject(value) ? undefined : { code: 'type_object' });

export const booleanRule: Rule = (value) => (typeof value === 'boolean' ? undefined : { code: 'type_boolean' });

export function integerRule({ min, max }: { min: number; max: number }): Rule {
  return (value): Violation | undefined => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return { code: 'type_integer' };
    if (value < min) return { code: 'min', params: { min } };
    return value > max ? { code: 'max', params: { max } } : undefined;
  };
}

export function choiceRule(options: readonly string[]): Rule {
  return (value) =>
    options.some((option) => option === value)
      ? undefined
      : { code: 'one_of', params: { options: options.join(', ') } };
}

export function listRule({ min = 0, max }: { min?: number; max: number }, item: Rule): Rule {
  return (value): Violation | undefined => {
    if (!Array.isArray(value)) return { code: 'type_list' };
    if (value.length < min) return { code: 'min_items', params: { min } };
    if (value.length > max) return { code: 'max_items', params: { max } };
    const entries = value.flatMap((entry, index) => {
      const violation = item(entry);
      return violation ? [{ index, violation }] : [];
    });
    const [first] = entries;
    return first && { ...first.violation, entries };
  };
}

/** What a violation names: the field, or those of its entries that broke the rule. */
export function problemsAt(field: string, { code, params, entries }: Violation): FieldProblem[] {
  if (!entries) return [{ field, code, ...(params && { params }) }];
  return entries.flatMap(({ index, violation }) => problemsAt(`${field}[${index}]`, violation));
}
