import { getMetadataStorage } from 'class-validator';
import { FieldProblem } from '../errors';
import { FieldContext } from './fields';
import { problemsAt } from './rule';

type Class = abstract new (...args: never[]) => object;
type Fields = ReadonlyMap<string, readonly FieldContext[]>;

const known = new WeakMap<Class, Fields>();

const isFieldContext = (context: unknown): context is FieldContext =>
  typeof context === 'object' && context !== null && 'rule' in context && typeof context.rule === 'function';

function readFields(type: Class): Fields {
  const fields = new Map<string, FieldContext[]>();
  for (const { propertyName, context } of getMetadataStorage().getTargetValidationMetadatas(type, '', false, false)) {
    const contexts = fields.get(propertyName) ?? [];
    fields.set(propertyName, isFieldContext(context) ? [...contexts, context] : contexts);
  }
  return fields;
}

/** The fields that a class declares, inherited ones too, with the rules of ours. */
export function declaredFields(type: Class): Fields {
  const fields = known.get(type) ?? readFields(type);
  known.set(type, fields);
  return fields;
}

export interface SortedInput {
  /** What may be built and checked in full, at a cost bounded by the limits of its fields. */
  readonly fitting: Record<string, unknown>;
  readonly misfits: readonly FieldProblem[];
}

function misfitsOfValue({ rule, item }: FieldContext, value: object, path: string): readonly FieldProblem[] {
  const violation = rule(value);
  if (violation) return problemsAt(path, violation);
  if (!item || !Array.isArray(value)) return [];
  return value.flatMap((entry: object, index) => sortInput(item(), entry, `${path}[${index}]`).misfits);
}

function misfitsOf(contexts: readonly FieldContext[] | undefined, value: unknown, path: string): FieldProblem[] {
  if (!contexts) return [{ field: path, code: 'unknown_field' }];
  if (typeof value !== 'object' || value === null) return [];
  return contexts.flatMap((context) => misfitsOfValue(context, value, path));
}

/**
 * Sorts out names that `type` does not declare, and lists and objects that break a field's rule. To be asked before
 * anything is built: an instance and its checks cost a thousand times what an entry costs its sender.
 */
export function sortInput(type: Class, input: object, parent = ''): SortedInput {
  const fields = declaredFields(type);
  const fitting: Record<string, unknown> = {};
  const misfits: FieldProblem[] = [];
  for (const [name, value] of Object.entries(input) as [string, unknown][]) {
    const found = misfitsOf(fields.get(name), value, parent === '' ? name : `${parent}.${name}`);
    if (found.length === 0) fitting[name] = value;
    else misfits.push(...found);
  }
  return { fitting, misfits };
}
