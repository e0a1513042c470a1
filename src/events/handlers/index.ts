export * from './event-handlers.module';
export type { FamilyEventType, IdentityEvent, IdentityEventFilter, IdentityEventType } from './identity-event';
export { OnIdentityEvent } from './on-identity-event';
export type { OnIdentityEventOptions } from './on-identity-event';
