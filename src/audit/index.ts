export * from './audit-event.entity';
export { AuditLogRepository } from './audit-log.repository';
export { AuditRetentionJob } from './audit-retention.job';
export * from './audit.module';
export * from './audit.service';
export { auditRetentionDays } from './audit.settings';
