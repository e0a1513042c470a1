export * from './domain-event';
export * from './domain-events';
export * from './domain-events.module';
