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

const declared = new Map<Class, Fields>();
const known = new WeakMap<Class, Fields>();

/** To be called by decorators. */
export function declareField(type: Class, name: string, field: DeclaredField): void {
  const own = declared.get(type) ?? new Map<string, DeclaredField>();
  if (own.has(name)) throw new Error(`${type.name}.${name} is declared twice: one rule would not count`);
  declared.set(type, new Map([...own, [name, field]]));
}

function readFields(type: Class): Fields {
  const parent = Object.getPrototypeOf(type) as Class | null;
  const own = declared.get(type) ?? new Map<string, DeclaredField>();
  return parent === null ? own : new Map([...own, ...[...readFields(parent)].filter(([name]) => !own.has(name))]);
}

/** Every class that declares fields, with those of its own. */
export const declaredClasses = (): Iterable<[Class, Fields]> => declared.entries();

/** The fields of a class: its own as they stand, then those it inherits. */
export function declaredFields(type: Class): Fields {
  const fields = known.get(type) ?? readFields(type);
  known.set(type, fields);
  return fields;
}
