export * from './audit-api.module';
export * from './audit-event.entity';
export { AuditLogRepository } from './audit-log.repository';
export { AuditRetention } from './audit-retention';
export * from './audit.module';
export * from './audit.service';
export { auditRetentionDays } from './audit.settings';
