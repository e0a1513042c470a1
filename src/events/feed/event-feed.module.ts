import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { Feature } from '../../platform/feature';
import { EventCursorsService } from './event-cursors.service';
import { EventFeedService } from './event-feed.service';
import { EventListsService } from './event-lists.service';
import { EventMetricsJob } from './event-metrics.job';
import { EventReadersService } from './event-readers.service';
import { EventStreamsService } from './event-streams.service';
import { EventTailService } from './event-tail.service';
import { EventsController } from './events.controller';
import { RecentEventsService } from './recent-events.service';

/** The audit log as a feed of events for other systems. */
@Module({
  imports: [AuditModule],
  controllers: [EventsController],
  providers: [
    EventCursorsService,
    EventFeedService,
    EventListsService,
    EventMetricsJob,
    EventReadersService,
    EventStreamsService,
    EventTailService,
    RecentEventsService,
  ],
  exports: [EventFeedService],
})
export class EventFeedModule {}

export const eventFeedFeature: Feature = {
  module: EventFeedModule,
  tags: { Events: 'What happened, in order, for other systems' },
};
