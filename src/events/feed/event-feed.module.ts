import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { RepositoriesModule } from '../../platform/database';
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
import { EventConsumer } from '../handlers/event-consumer.entity';
import { EventConsumerRepository } from '../handlers/event-consumer.repository';
import { EventHandlersService } from '../handlers/event-handlers.service';

/** The audit log as a feed of events for other systems and for the code of hosts. */
@Module({
  imports: [RepositoriesModule.forFeature([EventConsumer]), AuditModule],
  controllers: [EventsController],
  providers: [
    EventConsumerRepository,
    EventCursorsService,
    EventFeedService,
    EventHandlersService,
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
  entities: [EventConsumer],
  tags: { Events: 'What happened, in order, for other systems' },
};
