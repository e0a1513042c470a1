import { FieldProblem, platformErrors, ProblemError } from '../errors';
import { isJsonObject } from '../text';
import { DeclaredField, declaredFields } from './declared-fields';
import { findMisshapen } from './input-shape';
import { problemsAt } from './rule';

/** Problems named in one answer: a body of nothing but unknown names is not worth an answer larger than itself. */
const MOST_PROBLEMS = 100;

type Constructor<T extends object> = new () => T;
type Values = Record<string, unknown>;

export const fieldsRefused = (fields: readonly FieldProblem[]): ProblemError =>
  platformErrors.validationFailed({ fields: fields.slice(0, MOST_PROBLEMS) });

/** Gathers what is wrong while it makes of plain input what was declared. */
class Reading {
  readonly problems: FieldProblem[] = [];

  /** Only what the class declares gets into the instance, so nothing is assigned in bulk. */
  read<T extends object>(type: Constructor<T>, input: Values, parent = ''): T {
    const fields = declaredFields(type);
    const instance = new type();
    this.refuseUnknown(Object.keys(input), fields, parent);
    for (const [name, field] of fields) {
      if (this.problems.length >= MOST_PROBLEMS) break;
      this.readField(instance as Values, name, { field, given: input[name], path: parent + name });
    }
    return instance;
  }

  private refuseUnknown(names: readonly string[], fields: ReadonlyMap<string, unknown>, parent: string): void {
    for (const name of names) {
      if (!fields.has(name)) this.problems.push({ field: parent + name, code: 'unknown_field' });
    }
  }

  /** What a class has from the start stands where nothing is given. */
  private readField(
    instance: Values,
    name: string,
    { field: { rule, item, read }, given, path }: { field: DeclaredField; given: unknown; path: string },
  ): void {
    const value = given === undefined ? instance[name] : (read?.(given) ?? given);
    const violation = rule(value);
    if (violation) this.problems.push(...problemsAt(path, violation));
    else if (item && Array.isArray(value)) instance[name] = this.readEntries(item(), value as Values[], path);
    else if (value !== undefined) instance[name] = value;
  }

  /** Their number and that they are objects is the list's own rule. */
  private readEntries(type: Constructor<object>, entries: readonly Values[], path: string): object[] {
    return entries.map((entry, index) => this.read(type, entry, `${path}[${index}].`));
  }
}

/** Turns plain input into `type`. Errors: `validation_failed`, naming the fields that broke a rule, unknown ones too. */
export function checkInput<T extends object>(type: Constructor<T>, input: unknown): T {
  if (input !== undefined && input !== null && !isJsonObject(input)) {
    throw fieldsRefused([{ field: '', code: 'type_object' }]);
  }
  const plain = (input ?? {}) as Values;
  const misshapen = findMisshapen(plain);
  if (misshapen.length > 0) throw fieldsRefused(misshapen);
  const reading = new Reading();
  const instance = reading.read(type, plain);
  if (reading.problems.length > 0) throw fieldsRefused(reading.problems);
  return instance;
}
