import { Module } from '@nestjs/common';
import { Feature } from '../platform/feature';
import { AuditEvent } from './audit-event.entity';
import { AuditLogRepository } from './audit-log.repository';
import { AuditLogService } from './audit-log.service';
import { AuditPartitionsService } from './audit-partitions.service';
import { AuditRetentionJob } from './audit-retention.job';
import { AuditController } from './audit.controller';
import { AuditRepository } from './audit.repository';
import { AuditService } from './audit.service';

@Module({
  controllers: [AuditController],
  providers: [
    AuditRepository,
    AuditService,
    AuditPartitionsService,
    AuditLogRepository,
    AuditLogService,
    AuditRetentionJob,
  ],
  exports: [AuditService],
})
export class AuditModule {}

export const auditFeature: Feature = {
  module: AuditModule,
  entities: [AuditEvent],
  tags: { Audit: 'Who did what, and when' },
};
