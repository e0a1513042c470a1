export * from './audit-sinks.module';
