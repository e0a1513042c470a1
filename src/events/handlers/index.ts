export { EVENT_HANDLER, MAX_HANDLER_NAME } from './event-handler';
export type { EventHandlerDeclaration } from './event-handler';
export * from './event-handlers.module';
