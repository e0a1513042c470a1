import { APPLICATION, OPERATOR } from '../../platform/context';
import { ActEvent, actEventsOf, findEventDefinition, OrderedAuditEvent } from '../../audit';
import { matchesFilters } from './event-types';

/** The version of the payloads. New fields do not change it; a field that changes its meaning or ends does. */
export const PAYLOAD_VERSION = 1;

/** An actor or a subject. */
export interface Participant {
  readonly type: string;
  readonly id: string;
  /** At the time of the event; null if it is not recorded. */
  readonly name: string | null;
}

export interface FeedEvent {
  /** Stays the same whenever and wherever the event is delivered. */
  readonly id: string;
  readonly type: string;
  readonly at: Date;
  /** Null: unknown, or the service itself. */
  readonly actor: Participant | null;
  /** The user that the actor acted as; absent for acts in the own name. */
  readonly onBehalfOf?: Participant;
  readonly subject: Participant | null;
  readonly data: Readonly<Record<string, unknown>> & { readonly version: number };
  readonly requestId: string | null;
  /** The organization that the event concerns; absent for one of the service. */
  readonly organizationId?: string;
}

/** The events that a reader wants. */
export interface EventFilter {
  /** Types, or prefixes such as `user.*`. Empty: all. */
  readonly types: readonly string[];
  /** Only events that concern this organization. */
  readonly organizationId?: string | undefined;
}

export const isWanted = (event: FeedEvent, { types, organizationId }: EventFilter): boolean =>
  matchesFilters(event.type, types) && (organizationId === undefined || event.organizationId === organizationId);

/** The events of an audited act, in order. An act that is no event has none; a batch has several. */
export function eventsOf(act: OrderedAuditEvent): FeedEvent[] {
  return actEventsOf(act).map((event, ordinal) => ({
    id: idOf(act.id, ordinal),
    type: event.type,
    at: act.at,
    actor: actorOf(act),
    ...onBehalfOf(act),
    subject: subjectOf(event, act),
    data: { version: PAYLOAD_VERSION, ...event.data },
    requestId: act.requestId,
    ...(act.organizationId !== null && { organizationId: act.organizationId }),
  }));
}

const CLIENT = 'client:';

function actorOf({ actorId, actorName }: OrderedAuditEvent): Participant | null {
  if (actorId === null) return null;
  if (actorId === OPERATOR.userId) return { type: 'operator', id: actorId, name: actorName };
  if (actorId === APPLICATION.userId) return { type: 'application', id: actorId, name: actorName };
  if (!actorName?.startsWith(CLIENT)) return { type: 'user', id: actorId, name: actorName };
  return { type: 'client', id: actorId, name: actorName.slice(CLIENT.length) };
}

const onBehalfOf = ({ onBehalfOfId: id, onBehalfOfName: name }: OrderedAuditEvent): Pick<FeedEvent, 'onBehalfOf'> =>
  id ? { onBehalfOf: { type: 'user', id, name } } : {};

function subjectOf(
  { type, subject }: ActEvent,
  { targetId: id, targetLabel: name }: OrderedAuditEvent,
): Participant | null {
  if (subject !== undefined) return subject && { ...subject, name: subject.name ?? null };
  return id === null ? null : { type: findEventDefinition(type)?.subject ?? '', id, name };
}

/** Digits of the last group of a UUID, which is random in a UUID v7 (RFC 9562 §5.7). */
const TAIL = 12;

/** The act's own id for its first event, and the ids that follow it for the others. */
function idOf(id: string, ordinal: number): string {
  if (ordinal === 0) return id;
  const tail = (parseInt(id.slice(-TAIL), 16) + ordinal) % 16 ** TAIL;
  return id.slice(0, -TAIL) + tail.toString(16).padStart(TAIL, '0');
}
