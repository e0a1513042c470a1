export * from './audit-event.entity';
export { AuditLogRepository } from './audit-log.repository';
export { AuditLogService } from './audit-log.service';
export { AuditRetentionJob } from './audit-retention.job';
export * from './audit.module';
export * from './audit.service';
export { AuditExportQueryDto } from './dto/audit.dto';
export { auditRetentionDays } from './audit.settings';
