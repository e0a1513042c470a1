import { Module } from '@nestjs/common';
import { Feature } from '../../platform/feature';
import { AuditAccessService } from './audit-access.service';
import { AuditDigestRepository } from './audit-digest.repository';
import { AuditEvent } from './audit-event.entity';
import { AuditLogRepository } from './audit-log.repository';
import { AuditLogService } from './audit-log.service';
import { AuditPartitionsService } from './audit-partitions.service';
import { AuditPositionRepository } from './audit-position.repository';
import { AuditPositionsService } from './audit-positions.service';
import { AuditController } from './audit.controller';
import { AuditRepository } from './audit.repository';
import { AuditService } from './audit.service';

@Module({
  controllers: [AuditController],
  providers: [
    AuditAccessService,
    AuditDigestRepository,
    AuditRepository,
    AuditService,
    AuditPartitionsService,
    AuditPositionRepository,
    AuditPositionsService,
    AuditLogRepository,
    AuditLogService,
  ],
  exports: [AuditService, AuditPositionRepository, AuditDigestRepository, AuditLogRepository],
})
export class AuditModule {}

export const auditFeature: Feature = {
  module: AuditModule,
  entities: [AuditEvent],
  tags: { Audit: 'Who did what, and when' },
};
