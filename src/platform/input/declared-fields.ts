import { Rule } from './rule';

type Class = abstract new (...args: never[]) => object;

/** What a decorator says of a property. */
export interface DeclaredField {
  readonly rule: Rule;
  /** The class of a list's entries. */
  readonly item?: () => new () => object;
  /** Makes of what arrived what the rule judges, as in a query string everything is text. */
  readonly read?: (value: unknown) => unknown;
}

export type Fields = ReadonlyMap<string, DeclaredField>;

const declared = new WeakMap<object, Map<string, DeclaredField>>();
const known = new WeakMap<Class, Fields>();

/** To be called by decorators. */
export function declareField(type: object, name: string, field: DeclaredField): void {
  declared.set(type, new Map([...(declared.get(type) ?? []), [name, field]]));
}

function readFields(type: Class): Fields {
  const parent = Object.getPrototypeOf(type) as Class | null;
  const own = declared.get(type) ?? new Map<string, DeclaredField>();
  return parent === null ? own : new Map([...own, ...[...readFields(parent)].filter(([name]) => !own.has(name))]);
}

/** The fields of a class: its own as they stand, then those it inherits. */
export function declaredFields(type: Class): Fields {
  const fields = known.get(type) ?? readFields(type);
  known.set(type, fields);
  return fields;
}
