import type { AuditOutcome } from './audit-event.entity';
import type { OrderedAuditEvent } from './audit-position.repository';
import type { ActEvent } from './define-events';

export interface AuditTarget {
  readonly type: string;
  readonly id: string;
  readonly label?: string;
  /** The organization that it belongs to. Not given for what belongs to the service. */
  readonly organizationId?: string | null;
}

/** What every act can say. */
export interface ActFields {
  /** Default `success`. */
  readonly outcome?: AuditOutcome;
  readonly target?: AuditTarget;
  /**
   * The organization that the act concerns, by default that of the target. Its administrators read the whole event, so it must
   * name nothing of another one.
   */
  readonly organizationId?: string | null;
  /** The actor when the request has no caller yet (a login) or there is no request (a job). */
  readonly actor?: { readonly id: string; readonly username: string };
  readonly sessionId?: string;
  readonly reason?: string;
}

/** The states that an act records. Secrets must be masked. */
export interface ActStates {
  readonly before?: object;
  readonly after?: object;
}

/** Exported for the type only: entries are made by acts, so that nothing undeclared is recorded. */
export const DECLARED = Symbol('castellan.declared_act');

/** An entry of the audit log, made by an act. */
export interface AuditEntry extends ActFields, ActStates {
  readonly [DECLARED]: true;
  readonly action: string;
}

type StateOf<S, Name extends string> = S extends { readonly [N in Name]?: infer State } ? NonNullable<State> : object;

/** A recorded act, as the feed reads it. A state that was not recorded is empty. */
export type StoredAct<S> = Omit<OrderedAuditEvent, 'before' | 'after'> & {
  readonly before: StateOf<S, 'before'>;
  readonly after: StateOf<S, 'after'>;
};

type EventsOf<S> = (act: StoredAct<S>) => readonly ActEvent[];

export interface ActDeclaration<S extends ActStates> {
  /** The events of the feed, in order. Default: none. Entries of former versions may lack fields. */
  readonly events?: EventsOf<S>;
  /** The events when its outcome is a failure. Default: none. */
  readonly rejected?: EventsOf<S>;
}

/** Makes the entries of one act. */
export interface Act<S extends ActStates = ActStates> {
  (fields: ActFields & S): AuditEntry;
  readonly action: string;
}

/** The fields of an act's entries. */
export type ActInput<A extends Act<never>> = Parameters<A>[0];

const declared = new Map<string, ActDeclaration<ActStates>>();

/**
 * Declares what is recorded when something is done, and which events of the feed it is.
 * @param action `<subject>.<verb>`. Stable, because clients filter by it. Its title is in `i18n/*\/audit.json`.
 */
export function defineAct<S extends ActStates = object>(action: string, declaration: ActDeclaration<S> = {}): Act<S> {
  if (declared.has(action)) throw new Error(`Act ${action} is declared twice`);
  declared.set(action, declaration);
  return Object.assign((fields: ActFields & S): AuditEntry => ({ ...fields, action, [DECLARED]: true }), { action });
}

/** An entry of an act of the host, which only the host knows. */
export const hostEntry = (entry: ActFields & ActStates & { readonly action: string }): AuditEntry => ({
  ...entry,
  [DECLARED]: true,
});

/** The actions of the modules loaded so far. */
export const declaredActions = (): readonly string[] => [...declared.keys()];

/** What a recorded act means to other systems, in order. */
export function actEventsOf({ before, after, ...act }: OrderedAuditEvent): readonly ActEvent[] {
  const declaration = declared.get(act.action);
  const events = act.outcome === 'failure' ? declaration?.rejected : declaration?.events;
  return events?.({ ...act, before: before ?? {}, after: after ?? {} }) ?? [];
}

/** The names of the members that differ. */
export function changedFields({ before, after }: { readonly before: object; readonly after: object }): string[] {
  const [old, current] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const names = [...new Set([...Object.keys(old), ...Object.keys(current)])];
  return names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(current[name]));
}
