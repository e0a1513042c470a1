export { feedEventDto, FeedEventDto } from './dto/event.dto';
export { isTypeFilter } from './event-definitions';
export * from './event-feed.module';
export { eventPermissions } from './event-feed.permissions';
export { EventFeedService } from './event-feed.service';
export type { FeedEntry, FeedPart } from './event-feed.service';
export type { FeedEvent } from './feed-event';
export { FEED_START } from './feed-position';
export type { FeedPosition } from './feed-position';
export type { Participant } from './feed-event';
export type {
  FamilyEventType,
  IdentityEvent,
  IdentityEventFilter,
  IdentityEventType,
} from '../handlers/identity-event';
export { OnIdentityEvent } from '../handlers/on-identity-event';
export type { OnIdentityEventOptions } from '../handlers/on-identity-event';
