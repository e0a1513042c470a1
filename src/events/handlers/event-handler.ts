/** Metadata of a method with `@OnIdentityEvent()`. */
export const EVENT_HANDLER = Symbol('castellan.event_handler');

export interface EventHandlerDeclaration {
  readonly filters: readonly string[];
  readonly name?: string;
}

/** As the column. */
export const MAX_HANDLER_NAME = 100;
