/**
 * When listeners run.
 * - `in_transaction`: one after the other, in the publishing transaction. An error rolls all of it back. For writes
 *   that belong to the action, and for vetoes.
 * - `in_background`: after the commit. The action does not wait, and errors do not undo it.
 * - `awaited`: after the commit; each listener gets at most two seconds. Errors are logged as warnings.
 */
export type Delivery = 'in_transaction' | 'in_background' | 'awaited';

/** An event of one feature to which other features react. */
export interface DomainEvent<Payload> {
  /** Starts with `castellan.`, so that it cannot collide with events of a host. */
  readonly name: string;
  readonly delivery: Delivery;
  /** Type only; never set. */
  readonly payload?: Payload;
}

export const PREFIX = 'castellan.';

/** Declares an event, in the `*.events.ts` of the feature that publishes it. */
export function defineEvent<Payload>(name: string, delivery: Delivery): DomainEvent<Payload> {
  return { name: `${PREFIX}${name}`, delivery };
}
