import { Module } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { DomainEvents } from './domain-events';

/** @nestjs/event-emitter with a private emitter: a global one would call a host's listeners twice. */
@Module({
  imports: [EventEmitterModule.forRoot({ global: false, maxListeners: 0 })],
  providers: [DomainEvents],
  exports: [DomainEvents],
})
export class DomainEventsModule {}
