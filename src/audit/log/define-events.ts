import { presentMembers } from '../../platform/util';

interface FieldSchema {
  readonly type: 'string' | 'array' | 'boolean';
  readonly description: string;
  readonly format?: 'uuid';
  readonly items?: { readonly type: 'string'; readonly format?: 'uuid' };
}

/** A type of event. */
export interface EventDefinition {
  readonly meaning: string;
  readonly subject: string;
  /** The fields of `data`, besides `version`. */
  readonly data: Readonly<Record<string, FieldSchema>>;
  /** Fields that are missing when they are not known. */
  readonly optional?: readonly string[];
}

/** Fields of `data`. Their types are inferred, so that the types of `data` follow from the definitions. */
export const eventField = {
  text: (description: string) => ({ type: 'string', description }) as const,
  flag: (description: string) => ({ type: 'boolean', description }) as const,
  id: (description: string) => ({ type: 'string', format: 'uuid', description }) as const,
  texts: (description: string) => ({ type: 'array', items: { type: 'string' }, description }) as const,
  ids: (description: string) => ({ type: 'array', items: { type: 'string', format: 'uuid' }, description }) as const,
};

/** Names of fields that differ. */
export const changedFieldNames = eventField.texts('Names of the changed fields');

type ValueOf<Schema> = Schema extends { readonly type: 'array' }
  ? readonly string[]
  : Schema extends { readonly type: 'boolean' }
    ? boolean
    : string;

type OptionalOf<Definition> = Definition extends { readonly optional: readonly (infer Name)[] } ? Name : never;

/** The fields of the `data` of an event. */
export type EventData<Definition extends { readonly data: object }> = {
  readonly [N in Exclude<keyof Definition['data'], OptionalOf<Definition>>]: ValueOf<Definition['data'][N]>;
} & {
  readonly [N in Extract<keyof Definition['data'], OptionalOf<Definition>>]?:
    ValueOf<Definition['data'][N]> | undefined;
};

export interface EventSubject {
  readonly type: string;
  readonly id: string;
  readonly name?: string | null;
}

/** What an act means to other systems. */
export interface ActEvent {
  readonly type: string;
  /** Null: none. Default: the target of the act, with the type of the definition. */
  readonly subject?: EventSubject | null | undefined;
  readonly data?: Readonly<Record<string, unknown>>;
}

type Definitions = Readonly<Record<string, EventDefinition>>;
type Rest<Data> = object extends Data
  ? [data?: Data, subject?: ActEvent['subject']]
  : [data: Data, subject?: ActEvent['subject']];

/** Makes events of the types that it defines. */
export interface EventFactory<D extends Definitions> {
  <T extends keyof D & string>(type: T, ...rest: Rest<EventData<D[T]>>): ActEvent;
  readonly definitions: D;
}

const declared = new Map<string, EventDefinition>();

/** Declares types of events with a fixed payload. No field holds personal data or a secret. */
export function defineFeedEvents<const D extends Definitions>(definitions: D): EventFactory<D> {
  for (const [type, definition] of Object.entries(definitions)) {
    if (declared.has(type)) throw new Error(`Event ${type} is declared twice`);
    declared.set(type, definition);
  }
  const make = (type: string, data: object = {}, subject?: ActEvent['subject']): ActEvent => ({
    type,
    subject,
    data: presentMembers(data),
  });
  return Object.assign(make, { definitions });
}

export const findEventDefinition = (type: string): EventDefinition | undefined => declared.get(type);

/** The types with a fixed payload of the modules loaded so far. */
export const declaredEventTypes = (): readonly string[] => [...declared.keys()];
