export * from './attempt-result';
export * from './deliveries.module';
export * from './delivery-attempts.service';
