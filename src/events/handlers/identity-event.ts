import type { DefinedEventType, EVENT_FAMILIES, eventDefinitions } from '../feed/event-definitions';
import type { Participant } from '../feed/feed-event';

type Family = (typeof EVENT_FAMILIES)[number];

/** Types of families, such as `group.created`, follow from the act. */
export type FamilyEventType = `${Family}.${string}`;

export type IdentityEventType = DefinedEventType | FamilyEventType;

type PrefixOf<T extends string> = T extends `${infer P}.${string}` ? P : never;

/** A type, or a prefix such as `user.*`. */
export type IdentityEventFilter = IdentityEventType | `${PrefixOf<DefinedEventType>}.*`;

type TypesOf<F extends IdentityEventFilter> = F extends `${infer P}.*`
  ? P extends Family
    ? `${P}.${string}`
    : Extract<DefinedEventType, `${P}.${string}`>
  : F;

type ValueOf<Schema> = Schema extends { readonly type: 'array' }
  ? readonly string[]
  : Schema extends { readonly type: 'boolean' }
    ? boolean
    : string;

type OptionalOf<Definition> = Definition extends { readonly optional: readonly (infer Name)[] } ? Name : never;

type Fields<Definition extends { readonly data: object }> = {
  readonly [N in Exclude<keyof Definition['data'], OptionalOf<Definition>>]: ValueOf<Definition['data'][N]>;
} & {
  readonly [N in Extract<keyof Definition['data'], OptionalOf<Definition>>]?: ValueOf<Definition['data'][N]>;
};

interface EventOf<Type, Data> {
  /** The same at each delivery, and in the feed and webhooks. */
  readonly id: string;
  readonly type: Type;
  /** By RFC 3339. */
  readonly at: string;
  /** Null: unknown, or the service itself. */
  readonly actor: Participant | null;
  /** The user that the actor acted as; absent for acts in the own name. */
  readonly on_behalf_of?: Participant;
  readonly subject: Participant | null;
  readonly data: Data & { readonly version: number };
  readonly request_id: string | null;
  /** The organisation that the event concerns; absent for one of the service. */
  readonly organization_id?: string;
}

type Described<T> = T extends DefinedEventType
  ? EventOf<T, Fields<(typeof eventDefinitions)[T]>>
  : T extends FamilyEventType
    ? EventOf<T, Readonly<Record<string, unknown>>>
    : never;

/** An event of one of the types, as webhooks send it, with names. `docs/events.schema.json` describes all types. */
export type IdentityEvent<F extends IdentityEventFilter = IdentityEventFilter> = Described<TypesOf<F>>;
