export * from './audit-event.entity';
export * from './audit.module';
export * from './audit.service';
