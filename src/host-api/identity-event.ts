import type { EVENT_FAMILIES, EventData, FamilyEventType } from '../audit';
import { loginEvents } from '../auth/login';
import type { Participant } from '../events/feed';
import { factorEvents } from '../mfa';
import { clientEvents, identityEvents as linkEvents } from '../oauth';
import { roleEvents } from '../rbac';
import { sessionEvents, signingKeyEvents } from '../session';
import { settingEvents } from '../settings';
import { userEvents } from '../users';

/** All types with a fixed payload. */
export const identityEvents = {
  ...userEvents.definitions,
  ...factorEvents.definitions,
  ...linkEvents.definitions,
  ...loginEvents.definitions,
  ...sessionEvents.definitions,
  ...roleEvents.definitions,
  ...clientEvents.definitions,
  ...settingEvents.definitions,
  ...signingKeyEvents.definitions,
} as const;

type DefinedEventType = keyof typeof identityEvents;

type Family = (typeof EVENT_FAMILIES)[number];

export type IdentityEventType = DefinedEventType | FamilyEventType;

type PrefixOf<T extends string> = T extends `${infer P}.${string}` ? P : never;

/** A type, or a prefix such as `user.*`. */
export type IdentityEventFilter = IdentityEventType | `${PrefixOf<DefinedEventType>}.*`;

type TypesOf<F extends IdentityEventFilter> = F extends `${infer P}.*`
  ? P extends Family
    ? `${P}.${string}`
    : Extract<DefinedEventType, `${P}.${string}`>
  : F;

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
  /** The organization that the event concerns; absent for one of the service. */
  readonly organization_id?: string;
}

type Described<T> = T extends DefinedEventType
  ? EventOf<T, EventData<(typeof identityEvents)[T]>>
  : T extends FamilyEventType
    ? EventOf<T, Readonly<Record<string, unknown>>>
    : never;

/** An event of one of the types, as webhooks send it, with names. `docs/events.schema.json` describes all types. */
export type IdentityEvent<F extends IdentityEventFilter = IdentityEventFilter> = Described<TypesOf<F>>;
