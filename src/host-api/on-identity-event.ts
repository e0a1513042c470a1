import { isTypeFilter } from '../events/feed';
import { EVENT_HANDLER, EventHandlerDeclaration, MAX_HANDLER_NAME } from '../events/handlers';
import type { IdentityEvent, IdentityEventFilter } from './identity-event';

export interface OnIdentityEventOptions {
  /** Names the handler's place in the feed. Default `Class.method`. Renamed, it begins with later events. */
  readonly name?: string;
}

const NAME = new RegExp(`^[\\w.:-]{1,${MAX_HANDLER_NAME}}$`);

type HandlerDecorator<F extends IdentityEventFilter> = <Handler extends (event: IdentityEvent<F>) => unknown>(
  target: object,
  method: string | symbol,
  descriptor: TypedPropertyDescriptor<Handler>,
) => void;

function rejectWrong(filters: readonly string[], { name }: OnIdentityEventOptions): void {
  const unknown = filters.find((filter) => !isTypeFilter(filter));
  if (unknown !== undefined) {
    throw new Error(`@OnIdentityEvent('${unknown}') names no event: docs/events.schema.json lists them`);
  }
  if (filters.length === 0) throw new Error('@OnIdentityEvent([]) names no event: name a type or a prefix like user.*');
  if (name !== undefined && !NAME.test(name)) {
    throw new Error(
      `The name "${name}" of an @OnIdentityEvent() is not 1 to ${MAX_HANDLER_NAME} letters, digits, or . : _ -`,
    );
  }
}

/**
 * Marks a method of a provider or controller as a handler of events. It receives each event after the commit at least
 * once, in order, on one instance at a time, also events that happened while the application was stopped. A handler that
 * throws or takes more than a minute gets the event again.
 */
export function OnIdentityEvent<const F extends IdentityEventFilter>(
  events: F | readonly F[],
  options: OnIdentityEventOptions = {},
): HandlerDecorator<F> {
  const filters: readonly string[] = typeof events === 'string' ? [events] : events;
  rejectWrong(filters, options);
  return (_target, _method, descriptor) => {
    const declaration: EventHandlerDeclaration = { filters, ...options };
    Reflect.defineMetadata(EVENT_HANDLER, declaration, descriptor.value as object);
  };
}
