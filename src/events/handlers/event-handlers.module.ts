import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { RepositoriesModule } from '../../platform/database';
import { Feature } from '../../platform/feature';
import { EventFeedModule } from '../feed';
import { EventConsumer } from './event-consumer.entity';
import { EventConsumerRepository } from './event-consumer.repository';
import { EventHandlersService } from './event-handlers.service';

/** The feed of events for the code of hosts: `@OnIdentityEvent()`. */
@Module({
  imports: [DiscoveryModule, RepositoriesModule.forFeature([EventConsumer]), EventFeedModule],
  providers: [EventConsumerRepository, EventHandlersService],
})
export class EventHandlersModule {}

export const eventHandlersFeature: Feature = { module: EventHandlersModule, entities: [EventConsumer] };
